import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from './db.ts'
import { Id, newId } from './ids.ts'
import { raisedActions } from './schema.ts'

/** A path of this product, or a whole address. */
const Href = z
  .string()
  .max(2000)
  .regex(/^(\/(?!\/)|https?:\/\/)/, 'Must be a path or an address.')

const Raising = z.object({
  organizationId: Id,
  cause: z.string().min(1).max(200),
  title: z.string().min(1).max(200),
  reason: z.string().min(1).max(2000),
  href: Href,
  actions: z
    .array(
      z.object({
        label: z.string().min(1).max(60),
        method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
        href: Href,
      }),
    )
    .max(5),
})

/**
 * Writes what a person of an organization has to do into the outbox, on the transaction `db`: the dashboard shows it. One
 * action of a cause is open at most; raised again it takes the new words, and nothing happens when they are the same.
 */
export async function raiseAction(db: Database, raising: z.input<typeof Raising>): Promise<void> {
  const said = Raising.parse(raising)
  const { title, reason, href, actions } = raisedActions
  const words = sql`(${title}, ${reason}, ${href}, ${actions})`
  await db
    .insert(raisedActions)
    .values({ id: newId(), ...said, raisedAt: sql`now()` })
    .onConflictDoUpdate({
      target: [raisedActions.cause, raisedActions.organizationId],
      targetWhere: sql`resolved_at IS NULL`,
      set: {
        title: said.title,
        reason: said.reason,
        href: said.href,
        actions: said.actions,
        version: sql`${raisedActions.version} + 1`,
      },
      setWhere: sql`${words} IS DISTINCT FROM (excluded.title, excluded.reason, excluded.href, excluded.actions)`,
    })
}

/** Resolves what is open of a cause, on the transaction `db`. Raised later, it is another action. */
export async function resolveAction(db: Database, cause: string): Promise<void> {
  await db
    .update(raisedActions)
    .set({ resolvedAt: sql`now()`, version: sql`${raisedActions.version} + 1` })
    .where(and(eq(raisedActions.cause, cause), isNull(raisedActions.resolvedAt)))
}

/** How many actions the dashboard doesn't have as they are. */
export const countUntaken = (db: Database): Promise<number> =>
  db.$count(raisedActions, lt(raisedActions.takenVersion, raisedActions.version))

/** Milliseconds for which resolved actions are kept. */
const lifetime = 90 * 24 * 60 * 60 * 1000

/** Forgets actions that were resolved 90 days ago, also those that no dashboard ever took. */
export async function forgetActions(db: Database, now: Date): Promise<void> {
  await db.delete(raisedActions).where(lt(raisedActions.resolvedAt, new Date(now.getTime() - lifetime)))
}
