import { and, eq, gt, isNull, or, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { sandboxBehaviors } from '../schema.ts'
import { Behavior } from './contract.ts'

const { handle, behavior, remaining } = sandboxBehaviors
const defaultBehavior: Behavior = { mode: 'ok' }

export async function getBehavior(db: Database, account: string): Promise<Behavior> {
  const [row] = await db.select().from(sandboxBehaviors).where(eq(handle, account))
  if (!row) return defaultBehavior
  const set = Behavior.parse(row.behavior)
  return row.remaining === null ? set : { ...set, times: row.remaining }
}

export async function setBehavior(db: Database, account: string, change: Behavior): Promise<Behavior> {
  const values = { behavior: change, remaining: change.times ?? null }
  await db
    .insert(sandboxBehaviors)
    .values({ handle: account, ...values })
    .onConflictDoUpdate({ target: handle, set: values })
  return getBehavior(db, account)
}

/** The behavior for the post that just arrived: uses one of its `times`, and is `ok` when none is left. */
export async function takeBehavior(db: Database, account: string): Promise<Behavior> {
  const [taken] = await db
    .update(sandboxBehaviors)
    .set({ remaining: sql`${remaining} - 1` })
    .where(and(eq(handle, account), or(isNull(remaining), gt(remaining, 0))))
    .returning({ behavior })
  if (taken) return Behavior.parse(taken.behavior)
  return { ...(await getBehavior(db, account)), mode: 'ok' }
}
