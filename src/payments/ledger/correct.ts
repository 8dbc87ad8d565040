import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { invalid } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { monthOf } from '#lib/time.ts'
import { maxCorrection, type LedgerCorrectionDraft, type LedgerTransaction } from '../contract/ledger.ts'
import { parseDecimalAmount } from '../amount.ts'
import { ledgerTransactions } from '../schema.ts'
import { requireMerchant, requireVenue } from './merchants.ts'
import { postTransaction } from './post.ts'
import { getTransaction } from './read.ts'

/**
 * Posts entries of a person, since what was posted never changes. @throws {Problem} 404, 422 when they don't sum to zero
 */
export async function correctLedger(
  { db, actor, events, now }: Pick<Call<unknown, Actor>, 'db' | 'actor' | 'events' | 'now'>,
  { correctsSequence, venueId, currency, note, ...draft }: LedgerCorrectionDraft,
): Promise<z.input<typeof LedgerTransaction>> {
  const organizationId = organizationOf(actor, 'transactions:write')
  const entries = draft.entries ?? entriesOf(draft.postings ?? [], currency)
  requireBalance(entries)
  const correctsId =
    correctsSequence === undefined
      ? draft.correctsId
      : await findBySequence(db, { organizationId, merchantId: draft.merchantId, sequence: correctsSequence })
  const corrected = correctsId === undefined ? null : await getTransaction(db, organizationId, correctsId)
  const merchantId = corrected?.merchantId ?? draft.merchantId
  if (merchantId === undefined) throw invalid([{ path: 'merchantId', message: 'Required without correctsId.' }])
  if (draft.merchantId !== undefined && draft.merchantId.toLowerCase() !== merchantId.toLowerCase())
    throw invalid([{ path: 'merchantId', message: 'Must be the merchant of the corrected transaction.' }])
  await requireMerchant(db, organizationId, merchantId)
  if (venueId !== undefined) await requireVenue(db, merchantId, venueId)
  const id = newId()
  await postTransaction({ events }, db, {
    id,
    organizationId,
    merchantId: merchantId.toLowerCase(),
    venueId,
    kind: 'correction',
    at: now(),
    currency,
    entries,
    orderId: corrected?.orderId,
    correctsId,
    correctedMonth: corrected && monthOf(corrected.bookedOn),
    note,
    createdBy: actor.principal.id,
  })
  const posted = await getTransaction(db, organizationId, id)
  recordChange(db, { object: 'ledger_transaction', id, after: describe(posted) })
  return posted
}

type Entries = NonNullable<LedgerCorrectionDraft['entries']>

const entriesOf = (postings: NonNullable<LedgerCorrectionDraft['postings']>, currency: string): Entries =>
  postings.flatMap(({ debit, credit, ...posting }, at) => {
    const path = `postings.${at}.amount`
    const amount = parseDecimalAmount(posting.amount, currency, { path, least: 1n, most: maxCorrection })
    if (debit === credit)
      throw invalid([{ path: `postings.${at}.credit`, message: 'Choose another account than the debited one.' }])
    return [
      { account: debit, amount },
      { account: credit, amount: -amount },
    ]
  })

interface Numbered {
  organizationId: string
  merchantId: string | undefined
  /** As it is displayed, such as 18,206. */
  sequence: string
}

async function findBySequence(db: Database, { organizationId, merchantId, sequence }: Numbered): Promise<string> {
  const digits = sequence.replaceAll(',', '')
  const [found] =
    merchantId === undefined || digits === '' || digits.length > 18
      ? []
      : await db
          .select({ id: ledgerTransactions.id })
          .from(ledgerTransactions)
          .where(
            and(
              eq(ledgerTransactions.organizationId, organizationId),
              eq(ledgerTransactions.merchantId, merchantId),
              eq(ledgerTransactions.sequence, BigInt(digits)),
            ),
          )
  if (!found)
    throw invalid([{ path: 'correctsSequence', message: 'The merchant has no transaction with this number.' }])
  return found.id
}

function requireBalance(entries: Entries): void {
  const sum = entries.reduce((total, { amount }) => total + amount, 0n)
  if (sum !== 0n) throw invalid([{ path: 'entries', message: `Must sum to 0. They sum to ${sum}.` }])
}

const describe = ({ sequence, correctsId, currency, note, entries }: z.input<typeof LedgerTransaction>) => ({
  sequence: String(sequence),
  correctsId,
  currency,
  note,
  entries: entries.map(({ account, amount }) => ({ account, amount: String(amount) })),
})
