import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { PracticePaymentsBehavior } from './contract.ts'
import { paymentBehaviors } from './schema.ts'

type Part = 'webhooks' | 'answers' | 'payouts'

const left = {
  webhooks: paymentBehaviors.webhooksLeft,
  answers: paymentBehaviors.answersLeft,
  payouts: paymentBehaviors.payoutsLeft,
} as const

const normal: PracticePaymentsBehavior = { webhooks: 'ok', answers: 'ok', payouts: 'ok' }

/** `account` is empty for every account. */
export async function getBehavior(db: Database, account: string): Promise<PracticePaymentsBehavior> {
  const [row] = await db.select().from(paymentBehaviors).where(eq(paymentBehaviors.account, account))
  if (!row) return normal
  const behavior = PracticePaymentsBehavior.parse(row.behavior)
  if (row.answersLeft === null) return behavior
  return { ...behavior, times: Math.max(row.webhooksLeft ?? 0, row.answersLeft, row.payoutsLeft ?? 0) }
}

export async function setBehavior(
  db: Database,
  account: string,
  behavior: PracticePaymentsBehavior,
): Promise<PracticePaymentsBehavior> {
  const times = behavior.times ?? null
  const values = { behavior, webhooksLeft: times, answersLeft: times, payoutsLeft: times }
  await db
    .insert(paymentBehaviors)
    .values({ account, ...values })
    .onConflictDoUpdate({ target: paymentBehaviors.account, set: values })
  return behavior
}

/**
 * The behavior of one part for what just happened, of the account before that of every account; uses one of its
 * `times`. With `only`, other behaviors don’t apply.
 */
export async function takeBehavior<Name extends Part>(
  db: Database,
  platform: string,
  part: Name,
  only?: PracticePaymentsBehavior[Name],
): Promise<PracticePaymentsBehavior[Name]> {
  const rows = await db
    .select()
    .from(paymentBehaviors)
    .where(inArray(paymentBehaviors.account, [platform, '']))
  for (const row of rows.toSorted((a, b) => b.account.length - a.account.length)) {
    const behavior = PracticePaymentsBehavior.parse(row.behavior)[part]
    if (behavior === 'ok' || (only !== undefined && behavior !== only)) continue
    const remaining = row[`${part}Left`]
    if (remaining === null) return behavior
    if (remaining > 0 && (await useOne(db, row.account, part))) return behavior
  }
  return normal[part]
}

async function useOne(db: Database, account: string, part: Part): Promise<boolean> {
  const used = await db
    .update(paymentBehaviors)
    .set({ [`${part}Left`]: sql`${left[part]} - 1` })
    .where(and(eq(paymentBehaviors.account, account), gt(left[part], 0)))
    .returning({ account: paymentBehaviors.account })
  return used.length > 0
}
