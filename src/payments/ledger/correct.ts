import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { invalid } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import type { LedgerCorrectionDraft, LedgerTransaction } from '../contract/ledger.ts'
import { requireMerchant, requireVenue } from './merchants.ts'
import { postTransaction } from './post.ts'
import { getTransaction } from './read.ts'

/**
 * Posts entries of a person, since what was posted never changes. @throws {Problem} 404, 422 when they don't sum to zero
 */
export async function correctLedger(
  { db, actor, now }: Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now'>,
  { correctsId, venueId, currency, note, entries, ...draft }: LedgerCorrectionDraft,
): Promise<z.input<typeof LedgerTransaction>> {
  const organizationId = organizationOf(actor, 'transactions:write')
  requireBalance(entries)
  const corrected = correctsId === undefined ? null : await getTransaction(db, organizationId, correctsId)
  const merchantId = corrected?.merchantId ?? draft.merchantId
  if (merchantId === undefined) throw invalid([{ path: 'merchantId', message: 'Required without correctsId.' }])
  if (draft.merchantId !== undefined && draft.merchantId.toLowerCase() !== merchantId.toLowerCase())
    throw invalid([{ path: 'merchantId', message: 'Must be the merchant of the corrected transaction.' }])
  await requireMerchant(db, organizationId, merchantId)
  if (venueId !== undefined) await requireVenue(db, merchantId, venueId)
  const id = newId()
  await postTransaction(db, {
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
    note,
    createdBy: actor.principal.id,
  })
  const posted = await getTransaction(db, organizationId, id)
  recordChange(db, { object: 'ledger_transaction', id, after: describe(posted) })
  return posted
}

function requireBalance(entries: LedgerCorrectionDraft['entries']): void {
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
