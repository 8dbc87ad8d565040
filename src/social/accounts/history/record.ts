import { and, desc, eq, inArray, max, notInArray, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { sanitizeText, truncate } from '#lib/text.ts'
import type { AccountEventKind } from '../../contract.ts'
import { accountEvents } from '../../schema.ts'

interface Occurrence {
  kind: AccountEventKind
  personId?: string
  message?: string
  added?: readonly string[]
  removed?: readonly string[]
}

/** UTF-16 units of what a network said. */
const maxMessageLength = 500
/** Repeated every hour or two: each is one event with a count until something else happens. */
const repeated: readonly AccountEventKind[] = ['refreshed', 'refresh_failed']
const now = sql`clock_timestamp()`

/** Call it in the transaction of the change, which locks the account. */
export async function recordAccountEvent(
  tx: Database,
  { id: connectionId, brandId }: { id: string; brandId: string },
  { kind, personId, message, added = [], removed = [] }: Occurrence,
): Promise<void> {
  const said = message === undefined ? null : truncate(sanitizeText(message), maxMessageLength)
  if (repeated.includes(kind) && (await repeat(tx, connectionId, kind, said))) return
  await tx.insert(accountEvents).values({
    brandId,
    connectionId,
    kind,
    personId: personId ?? null,
    message: said,
    added: [...added],
    removed: [...removed],
    firstAt: sql`statement_timestamp()`,
    at: sql`statement_timestamp()`,
  })
}

/** Whether the event happened before, without another kind of change since: it is counted there, with its last message. */
async function repeat(tx: Database, connectionId: string, kind: AccountEventKind, message: string | null) {
  const ofAccount = eq(accountEvents.connectionId, connectionId)
  const last = tx
    .select({ id: accountEvents.id })
    .from(accountEvents)
    .where(and(ofAccount, eq(accountEvents.kind, kind)))
    .orderBy(desc(accountEvents.at), desc(accountEvents.id))
    .limit(1)
  const lastChange = tx
    .select({ at: max(accountEvents.at) })
    .from(accountEvents)
    .where(and(ofAccount, notInArray(accountEvents.kind, [...repeated])))
  const changed = await tx
    .update(accountEvents)
    .set({ times: sql`${accountEvents.times} + 1`, at: sql`greatest(${accountEvents.at}, ${now})`, message })
    .where(and(inArray(accountEvents.id, last), sql`${accountEvents.at} >= coalesce((${lastChange}), '-infinity')`))
    .returning({ id: accountEvents.id })
  return changed.length > 0
}

/** Records the permissions that a new consent gave or withdrew, if any. */
export async function recordPermissions(
  tx: Database,
  account: { id: string; brandId: string; scopes: readonly string[] },
  { before, personId }: { before: readonly string[]; personId: string },
): Promise<void> {
  const added = account.scopes.filter((scope) => !before.includes(scope))
  const removed = before.filter((scope) => !account.scopes.includes(scope))
  if (added.length + removed.length === 0) return
  await recordAccountEvent(tx, account, { kind: 'permissions_changed', personId, added, removed })
}
