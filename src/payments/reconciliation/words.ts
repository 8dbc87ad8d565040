import { Currency, displayMoney } from '#lib/money.ts'
import type { reconciliationDifferences } from '../schema.ts'

type Row = typeof reconciliationDifferences.$inferSelect

const moneyOf = (amount: bigint, code: string | null): string => {
  const currency = Currency.safeParse(code)
  return currency.success ? displayMoney({ minor: amount, currency: currency.data }) : String(amount)
}

const sizeOf = (amount: bigint): bigint => (amount < 0n ? -amount : amount)

const objects: readonly (readonly [prefix: string, name: string])[] = [
  ['re_', 'refund'],
  ['pyr_', 'refund'],
  ['dp_', 'dispute'],
  ['du_', 'dispute'],
  ['ch_', 'payment'],
  ['py_', 'payment'],
  ['po_', 'payout'],
  ['trr_', 'transfer reversal'],
  ['tr_', 'transfer'],
  ['tu_', 'top-up'],
]

const objectOf = ({ sourceReference }: Row): string =>
  objects.find(([prefix]) => sourceReference?.startsWith(prefix))?.[1] ?? 'movement'

/** Only the fee differs. */
const isFeeOnly = ({ ledgerAmount, providerAmount, ledgerFee, providerFee }: Row): boolean =>
  (providerAmount ?? 0n) - (ledgerAmount ?? 0n) === (ledgerFee ?? 0n) - (providerFee ?? 0n)

/** What differs, in one line. */
export function titleOf(row: Row): string {
  const { kind, currency, ledgerAmount, providerAmount, ledgerFee, providerFee } = row
  const ours = ledgerAmount ?? 0n
  const theirs = providerAmount ?? 0n
  switch (kind) {
    case 'missing_in_ledger':
      return `A ${objectOf(row)} of ${moneyOf(sizeOf(theirs), currency)} isn’t in the ledger`
    case 'missing_at_provider':
      return row.cause.startsWith('payout:')
        ? `The provider has no record of a payout of ${moneyOf(sizeOf(ours), currency)}`
        : `The provider has no record of a ${objectOf(row)} of ${moneyOf(sizeOf(ours), currency)}`
    case 'amount_differs': {
      if (row.cause.startsWith('movement:') && isFeeOnly(row)) {
        const more = (providerFee ?? 0n) - (ledgerFee ?? 0n)
        return `The provider’s fee is ${moneyOf(sizeOf(more), currency)} ${more > 0n ? 'higher' : 'lower'}`
      }
      return `A ${objectOf(row)} differs by ${moneyOf(sizeOf(theirs - ours), currency)}`
    }
    case 'state_differs':
      if (row.cause.startsWith('payout:'))
        return `A payout of ${moneyOf(sizeOf(ours), currency)} was returned, but is ${row.ledgerState} here`
      return `A ${objectOf(row)} is ${row.providerState} at the provider, but ${row.ledgerState} here`
    case 'balance_differs':
      return `The balance in ${currency} differs by ${moneyOf(sizeOf(theirs - ours), currency)}`
    default:
      return 'The comparison with the provider failed'
  }
}

/** What to do about it. */
export function adviceOf(row: Row): string {
  switch (row.kind) {
    case 'missing_in_ledger':
      return row.proposal.length === 0
        ? 'Check it at the provider: that reads its payment or payout again and usually books it.'
        : 'No order or settlement of yours caused it. Record it if it belongs to you, or explain it.'
    case 'missing_at_provider':
      return row.proposal.length === 0
        ? 'Check it again, and ask the provider about it if it stays missing.'
        : 'Check it again. If it stays missing, record the return: the ledger takes it back.'
    case 'amount_differs':
      return row.proposal.length === 0
        ? 'Check it at the provider: that reads its current amount.'
        : 'Record the difference, or explain it if the provider will correct it.'
    case 'state_differs':
      return 'Check it at the provider: that reads its current state and books what follows from it.'
    case 'balance_differs':
      return 'No single movement explains it. Find out what it was. If you record it, it is held as not assigned until you correct the ledger.'
    default:
      return `${row.detail ?? 'The provider didn’t respond.'} It is tried again tomorrow. Nothing was compared, so there may be differences.`
  }
}
