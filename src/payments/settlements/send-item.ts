import { isAccountChanged, writeOutcomeOf } from '#gateway'
import { Problem } from '#lib/errors.ts'
import { payerOf } from '../provider-account.ts'
import { isKeyKnown } from '../provider-keys.ts'
import type { PaymentsWork } from '../work.ts'
import { toProviderUnits } from '../provider-units.ts'
import { changeItem } from './change-item.ts'
import { itemNotSent, itemReversed, itemSent } from './entries.ts'
import { changeBy, stepOf, type ItemChange, type Step } from './item-state.ts'
import type { ItemRow } from './rows.ts'
import { noSnapshot, transferGroupOf } from './snapshot.ts'

/**
 * `sent`: go on. `failed`: go on with what has to be taken back. `stopped`: another server has it. `soon`: the provider
 * has no time. `later`: its outcome isn’t known, or it can’t be done now.
 */
export type Sent = { item: ItemRow; outcome: 'sent' | 'failed' | 'stopped' | 'soon' | 'later' }

const sentAt = { transfer: 'transferSentAt', payout: 'payoutSentAt', reversal: 'reversalSentAt' } as const

/** Sends the next step of an item that `owner` has leased. It is stored before, so a lost response is noticed. */
export async function sendStep(work: PaymentsWork, item: ItemRow, step: Step, owner: string): Promise<Sent> {
  if (!isRepeatable(work, item, step)) return keepUnsent(work, item, step, owner)
  const stored = await changeItem(work, item.id, (row) =>
    canSend(row, step, owner) ? beginStep(work, row, step) : null,
  )
  if (!stored.applied || !stored.item) return { item: stored.item ?? item, outcome: 'stopped' }
  const leased = stored.item
  try {
    const apply = await send[step](work, leased)
    const done = await changeItem(work, item.id, apply)
    return { item: done.item ?? leased, outcome: 'sent' }
  } catch (error) {
    return settleError(work, leased, step, error)
  }
}

const canSend = (row: ItemRow, step: Step, owner: string): boolean => row.leaseOwner === owner && stepOf(row) === step

/** Another reversal does nothing: each takes back all that is left. */
function isRepeatable({ now }: PaymentsWork, item: ItemRow, step: Step): boolean {
  const since = item[sentAt[step]]
  return step === 'reversal' || since === null || isKeyKnown(since, now())
}

/** It is only looked up from now on. */
async function keepUnsent(work: PaymentsWork, item: ItemRow, step: Step, owner: string): Promise<Sent> {
  const kept = await changeItem(work, item.id, (row) =>
    canSend(row, step, owner) && row.status !== 'unknown' ? { patch: { status: 'unknown' } } : null,
  )
  return { item: kept.item ?? item, outcome: 'later' }
}

function beginStep({ now, config }: PaymentsWork, row: ItemRow, step: Step): ItemChange {
  const at = now()
  const field = sentAt[step]
  return {
    patch: {
      [field]: row[field] ?? at,
      attempts: row.attempts + 1,
      dueAt: new Date(at.getTime() + config.SETTLEMENT_LEASE_MS),
    },
    postings: step === 'transfer' && row.transferSentAt === null ? [itemSent(row, at)] : [],
  }
}

type Apply = (row: ItemRow) => ItemChange | null
type Send = (work: PaymentsWork, item: ItemRow) => Promise<Apply>

const keyOf = ({ id }: ItemRow, step: Step): string => `${id}:${step}`

const metadataOf = ({ id, settlementId, organizationId, reference }: ItemRow) => ({
  organizationId,
  settlementId,
  itemId: id,
  reference,
})

/** Requests depend on the row only, so that a repeated one is the same. */
const send: Record<Step, Send> = {
  transfer: async ({ gateway, now }, item) => {
    const transfer = await gateway.payments.createTransfer({
      ...payerOf(item),
      idempotencyKey: keyOf(item, 'transfer'),
      amount: toProviderUnits(item.amount, item.currency),
      currency: item.currency,
      destination: item.recipient,
      transferGroup: transferGroupOf(item),
      metadata: metadataOf(item),
    })
    return (row) => changeBy(row, { ...noSnapshot, transfer }, now())
  },
  payout: async ({ gateway }, item) => {
    const payout = await gateway.payments.createPayout({
      ...payerOf(item),
      idempotencyKey: keyOf(item, 'payout'),
      account: item.recipient,
      amount: toProviderUnits(item.amount, item.currency),
      currency: item.currency,
      metadata: metadataOf(item),
    })
    // Its state can be older than what an event has brought meanwhile.
    return (row) =>
      row.payoutId === null && stepOf(row) === 'payout' ? { patch: { payoutId: payout.id, status: 'sent' } } : null
  },
  reversal: async ({ gateway }, item) => {
    const reversal = await gateway.payments.reverseTransfer({
      ...payerOf(item),
      idempotencyKey: keyOf(item, 'reversal'),
      id: item.transferId ?? '',
      metadata: metadataOf(item),
    })
    return (row) =>
      row.reversalId === null
        ? // All that was left.
          { patch: { reversalId: reversal.id, reversedAmount: row.amount }, postings: itemReversed(row, reversal) }
        : null
  },
}

async function settleError(work: PaymentsWork, item: ItemRow, step: Step, error: unknown): Promise<Sent> {
  if (!(error instanceof Problem) || isAccountChanged(error)) throw error
  work.log.warn('A settlement item wasn’t sent', { item: item.id, step, code: error.code, status: error.status })
  if (writeOutcomeOf(error) === 'unknown' || error.status === 409) {
    if (step === 'reversal') return { item, outcome: 'later' }
    const marked = await changeItem(work, item.id, (row) =>
      stepOf(row) === step ? { patch: { status: 'unknown' } } : null,
    )
    return { item: marked.item ?? item, outcome: 'later' }
  }
  if (error.status === 429) return { item, outcome: 'soon' }
  if (step === 'reversal' || !isFinalRefusal(error)) return { item, outcome: 'later' }
  const failed = await changeItem(work, item.id, (row) =>
    stepOf(row) === step
      ? {
          patch: { status: 'failed', failureCode: error.code, failureMessage: error.message },
          postings: step === 'transfer' ? [itemNotSent(row, work.now())] : [],
        }
      : null,
  )
  return { item: failed.item ?? item, outcome: 'failed' }
}

/** The others are about our credential or organization, and pass. */
const isFinalRefusal = ({ status, code }: Problem): boolean =>
  [402, 404, 422].includes(status) && code !== 'credential_missing'
