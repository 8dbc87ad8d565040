import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { invalid } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import type { OrderDraft } from '../contract/orders.ts'
import { resolveBuyer } from '../customers/resolve.ts'
import { emitOrderChange } from '../events.ts'
import { insertOrder } from './insert.ts'
import { resolvePlace } from './merchants.ts'
import { requirePayableTotal } from '../provider-amounts.ts'
import { publishOrder } from './orders.topic.ts'
import type { JoinedRow } from './read.ts'
import { priceOrder } from './totals.ts'

type OrderCall = Pick<Call<unknown, Actor>, 'actor' | 'db' | 'now' | 'events' | 'queue'>

const minute = 60_000
const day = 24 * 60 * minute
/** The provider’s page to pay on is open for at least half an hour. */
const expiry = { minMs: 30 * minute, maxMs: 90 * day }

/** @throws {Problem} 422 */
export async function createOrder(call: OrderCall, draft: OrderDraft): Promise<JoinedRow> {
  const { actor, db, now } = call
  const organizationId = organizationOf(actor, 'payments:create')
  const at = now()
  requireExpiry(draft.expiresAt, at)
  const { lines, ...totals } = priceOrder(draft)
  requirePayableTotal(totals.total, draft.currency)
  const buyer = await resolveBuyer(db, organizationId, draft)
  const { merchant, venue } = await resolvePlace(db, organizationId, draft)
  const { currency, taxMode, taxRounding, metadata = {}, expiresAt = null } = draft
  const id = newId()
  await publishOrder(call, db, { organizationId, id })
  const order = await insertOrder(
    db,
    {
      id,
      organizationId,
      merchantId: merchant.id,
      venueId: venue?.id ?? null,
      currency,
      taxMode,
      taxRounding,
      ...totals,
      ...buyer,
      metadata,
      expiresAt,
      createdBy: actor.principal.id,
      createdAt: at,
    },
    lines,
  )
  await emitOrderChange(db, call, order, null)
  recordChange(db, { object: 'order', id, after: { number: order.number, currency, total: Number(totals.total) } })
  return { order, merchantName: merchant.name, venueName: venue?.name ?? null }
}

function requireExpiry(expiresAt: Date | undefined, at: Date): void {
  if (!expiresAt) return
  const ms = expiresAt.getTime() - at.getTime()
  if (ms >= expiry.minMs && ms <= expiry.maxMs) return
  throw invalid([{ path: 'expiresAt', message: 'Must be from 30 minutes to 90 days from now.' }])
}
