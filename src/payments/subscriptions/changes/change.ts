import { and, desc, eq } from 'drizzle-orm'
import { auditedTransaction } from '#lib/audit.ts'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { brokenConstraint } from '#lib/db.ts'
import { conflict } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import type { SubscriptionChange } from '../../contract/subscriptions.ts'
import { subscriptionChanges } from '../../schema.ts'
import { syncSubscription } from '../provider/sync.ts'
import { findSubscription, type SubscriptionRow } from '../rows.ts'
import { validUntilOf } from './preview.ts'
import { quoteChange, readWanted, type Quote, type Wanted } from './quote.ts'
import { changeBusy, resumeChange, sendChange, settleChanges, type ChangeRow } from './settle.ts'

type ChangeCall = Call<unknown, Actor>

/**
 * Charges what its preview said, or nothing. The same request again charges nothing more. @throws {Problem} 404, 409
 * `preview_expired`, `preview_changed`, `subscription_busy`, and what the provider refused
 */
export async function changeSubscription(call: ChangeCall, input: SubscriptionChange): Promise<SubscriptionRow> {
  const row = await findSubscription(call.db, input.id)
  const known = await findChange(call, row, input)
  if (known?.state === 'sending') await resumeChange(call, known)
  if (!known) await sendChange(call, await insertChange(call, row, input))
  await syncSubscription(call, row.id)
  return findSubscription(call.db, row.id)
}

/** The same change, also when there was another one since; unless it was refused: then it can be tried again. */
async function findChange(
  { db }: ChangeCall,
  row: SubscriptionRow,
  { prorationDate, amountDue, ...wanted }: SubscriptionChange,
): Promise<ChangeRow | null> {
  const { subscriptionId, prorationDate: date, package: name, seats, amountDue: amount, id } = subscriptionChanges
  const [found] = await db
    .select()
    .from(subscriptionChanges)
    .where(
      and(
        eq(subscriptionId, row.id),
        eq(date, prorationDate),
        wanted.package && eq(name, wanted.package),
        wanted.seats === undefined ? undefined : eq(seats, wanted.seats),
        eq(amount, BigInt(amountDue)),
      ),
    )
    .orderBy(desc(id))
    .limit(1)
  return found && found.state !== 'refused' ? found : null
}

async function insertChange(call: ChangeCall, row: SubscriptionRow, input: SubscriptionChange): Promise<ChangeRow> {
  await settleChanges(call, row.id)
  const wanted = await readWanted(call, row, input)
  const { isFree } = await requirePreviewed(call, row, wanted, input)
  try {
    return await auditedTransaction(call, async (tx) => {
      const [change] = await tx
        .insert(subscriptionChanges)
        .values({
          id: newId(),
          organizationId: row.organizationId,
          subscriptionId: row.id,
          package: wanted.package,
          seats: wanted.seats,
          priceId: wanted.price.id,
          prorationDate: input.prorationDate,
          amountDue: BigInt(input.amountDue),
          isFree,
          createdAt: call.now(),
        })
        .returning()
      if (!change) throw new Error('The change was not inserted')
      return change
    })
  } catch (error) {
    if (brokenConstraint(error) !== 'subscription_changes_sending') throw error
    throw changeBusy(error)
  }
}

async function requirePreviewed(
  call: ChangeCall,
  row: SubscriptionRow,
  wanted: Wanted,
  { prorationDate, amountDue }: SubscriptionChange,
): Promise<Quote> {
  const now = call.now()
  const isOfPeriod = row.currentPeriodStartsAt === null || prorationDate >= row.currentPeriodStartsAt
  if (!isOfPeriod || now > validUntilOf(prorationDate) || prorationDate > validUntilOf(now))
    throw conflict('preview_expired', 'This preview is no longer valid. Request another one.')
  const quote = await quoteChange(call, row, wanted, prorationDate)
  if (quote.amountDue !== BigInt(amountDue))
    throw conflict('preview_changed', 'This change costs another amount now. Request another preview.', {
      amountDue: Number(quote.amountDue),
    })
  return quote
}
