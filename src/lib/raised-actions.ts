import { and, eq, isNull, like, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { prefixPattern, type Database } from './db.ts'
import { Id, newId } from './ids.ts'
import { raisedActions } from './schema.ts'
import { sanitizeText } from './text.ts'

/** Any origin: paths are resolved against it to find those that lead elsewhere. */
const baseUrl = 'https://here.invalid'

/** A path of this product, or a full URL without credentials. */
const Href = z.string().max(2000).refine(leadsToPage, 'Must be a path or an http(s) URL.')

/** Browsers drop tabs and line breaks in URLs and read `\\` as `/`, so both could change the host. */
function leadsToPage(href: string): boolean {
  const url = URL.parse(href, baseUrl)
  if (!url || /[\0-\x20\\]/.test(href) || url.username !== '' || url.password !== '') return false
  return href.startsWith('/') ? url.origin === baseUrl : /^https?:$/.test(url.protocol) && URL.canParse(href)
}
const textLine = (max: number) => z.string().min(1).max(max).transform(sanitizeText)

const ActionInput = z.object({
  organizationId: Id,
  cause: textLine(200),
  title: textLine(200),
  reason: textLine(2000),
  href: Href,
  actions: z
    .array(
      z.object({
        label: textLine(60),
        method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
        href: Href,
      }),
    )
    .max(5),
})

/** On the transaction `db`. At most one open action per cause and organization: raising it again updates its texts. */
export async function raiseAction(db: Database, input: z.input<typeof ActionInput>): Promise<void> {
  const raised = ActionInput.parse(input)
  const { title, reason, href, actions } = raisedActions
  const words = sql`(${title}, ${reason}, ${href}, ${actions})`
  await db
    .insert(raisedActions)
    .values({ id: newId(), ...raised, raisedAt: sql`now()` })
    .onConflictDoUpdate({
      target: [raisedActions.cause, raisedActions.organizationId],
      targetWhere: sql`resolved_at IS NULL`,
      set: {
        title: raised.title,
        reason: raised.reason,
        href: raised.href,
        actions: raised.actions,
        version: sql`${raisedActions.version} + 1`,
      },
      setWhere: sql`${words} IS DISTINCT FROM (excluded.title, excluded.reason, excluded.href, excluded.actions)`,
    })
}

/** Resolves the open actions of a cause, of all organizations, on the transaction `db`. Raising the cause later makes a new action. */
export async function resolveAction(db: Database, cause: string): Promise<void> {
  await db
    .update(raisedActions)
    .set({ resolvedAt: sql`now()`, version: sql`${raisedActions.version} + 1` })
    .where(and(eq(raisedActions.cause, cause), isNull(raisedActions.resolvedAt)))
}

/** Causes of open actions that begin so. */
export async function listCauses(db: Database, prefix: string): Promise<string[]> {
  const { cause, resolvedAt } = raisedActions
  const rows = await db
    .selectDistinct({ cause })
    .from(raisedActions)
    .where(and(isNull(resolvedAt), like(cause, prefixPattern(prefix))))
  return rows.map((row) => row.cause)
}

export const countUntaken = (db: Database): Promise<number> =>
  db.$count(raisedActions, lt(raisedActions.takenVersion, raisedActions.version))
