import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict } from '#lib/errors.ts'
import { localDay, monthOf } from '#lib/time.ts'
import type { Period, PeriodClosing } from '../contract/reports.ts'
import { publishLedger } from '../ledger/ledger.topic.ts'
import { lockHead } from '../ledger/heads.ts'
import { closedPeriods, ledgerHeads } from '../schema.ts'
import { getReportedMerchant } from './merchants.ts'
import { firstOpenMonth, readClosed } from './periods.ts'
import { monthAfter } from './range.ts'

type ClosingCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now' | 'events'>

/**
 * From now on nothing is booked to this month or those before. It can’t be opened again. @throws {Problem} 404, 409 for
 * a month that is not over, is closed, or follows an open one
 */
export async function closePeriod(
  call: ClosingCall,
  { merchantId, month }: PeriodClosing,
): Promise<z.input<typeof Period>> {
  const { db, actor, now } = call
  const organizationId = organizationOf(actor, 'settings:write')
  const merchant = await getReportedMerchant(db, organizationId, merchantId)
  if (month >= monthOf(localDay(now(), merchant.timeZone)))
    throw conflict('period_not_over', `Months can be closed once they are over, in ${merchant.timeZone}.`)
  await publishLedger(call, db, organizationId)
  // Postings wait for it, and then see that the month is closed.
  const head = await lockHead(db, { organizationId, merchantId: merchant.id })
  await requireNext(db, merchant.id, month, head.openFrom)
  const closed = { sequence: head.sequence, hash: head.hash }
  await db.insert(closedPeriods).values({
    ...closed,
    merchantId: merchant.id,
    organizationId,
    month,
    closedAt: now(),
    closedBy: actor.principal.id,
  })
  await db
    .update(ledgerHeads)
    .set({ openFrom: `${monthAfter(month)}-01` })
    .where(and(eq(ledgerHeads.merchantId, merchant.id), eq(ledgerHeads.organizationId, organizationId)))
  recordChange(db, {
    object: 'accounting_period',
    id: `${merchant.id}/${month}`,
    after: { merchantId: merchant.id, month, sequence: String(head.sequence), hash: head.hash },
  })
  return readClosed(call, { merchantId: merchant.id, month })
}

async function requireNext(db: Database, merchantId: string, month: string, openFrom: string | null): Promise<void> {
  if (openFrom !== null && month < monthOf(openFrom))
    throw conflict('period_closed', 'This month is closed already.', { month })
  const first = await firstOpenMonth(db, merchantId, openFrom)
  if (first !== null && first < month)
    throw conflict('period_order', `Close ${first} first: months are closed in their order.`, { next: first })
}
