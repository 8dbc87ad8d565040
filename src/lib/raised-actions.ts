import { and, eq, isNull, like, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { prefixPattern, type Database } from './db.ts'
import { publishOnCommit } from './events/publish-on-commit.ts'
import { Id, newId } from './ids.ts'
import type { NotificationKind } from './notification-kind.ts'
import { raisedActionEvent } from './raised-actions/event.ts'
import { raisedActions } from './schema.ts'
import { sanitizeText } from './text.ts'

/** Any origin: paths are resolved against it to find those that lead elsewhere. */
const baseUrl = 'https://here.invalid'

/** A path of this product, or a full URL without credentials. */
export const Href = z.string().max(2000).refine(leadsToPage, 'Must be a path or an http(s) URL.')

/** Browsers drop tabs and line breaks in URLs and read `\\` as `/`, so both could change the host. */
function leadsToPage(href: string): boolean {
  const url = URL.parse(href, baseUrl)
  if (!url || /[\0-\x20\\]/.test(href) || url.username !== '' || url.password !== '') return false
  return href.startsWith('/') ? url.origin === baseUrl : /^https?:$/.test(url.protocol) && URL.canParse(href)
}
const textLine = (max: number) => z.string().min(1).max(max).transform(sanitizeText)

const Scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])
const Fields = z.record(z.string().max(60), z.union([Scalar, z.array(Scalar)]))
/** As deep as the bodies of buttons are. */
const Body = z.record(z.string().max(60), z.union([Scalar, z.array(z.union([Scalar, Fields])), Fields]))

/** A field that the person fills in before the button's request is sent. */
const ButtonField = z.object({
  name: z.string().regex(/^[A-Za-z]\w{0,59}$/),
  label: textLine(60),
  type: z.enum(['text', 'textarea', 'date', 'select']),
  value: z.string().max(500).optional(),
  options: z
    .array(z.object({ value: z.string().max(200), label: textLine(100) }))
    .max(50)
    .optional(),
})

const Button = z
  .object({
    label: textLine(60),
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    href: Href,
    body: Body.optional(),
    fields: z.array(ButtonField).max(5).optional(),
    style: z.enum(['primary', 'default', 'danger']).optional(),
    confirm: textLine(300).optional(),
  })
  .refine(({ method, href }) => method === 'GET' || isOfApi(href), {
    path: ['href'],
    message: 'Must begin with /api/, because the request is sent with the session of a person.',
  })

/** Dots in a path could lead to a page. */
const isOfApi = (href: string): boolean => (URL.parse(href, baseUrl)?.href ?? '').startsWith(`${baseUrl}/api/`)

/** Characters of JSON: a page shows a hundred of them. */
const maxButtonsLength = 16_384

export const ActionButtons = z
  .array(Button)
  .max(5)
  .refine((buttons) => JSON.stringify(buttons).length <= maxButtonsLength, 'Must be at most 16 KiB of JSON.')

const ActionInput = z.object({
  organizationId: Id,
  cause: textLine(200),
  title: textLine(200),
  reason: textLine(2000),
  href: Href,
  actions: ActionButtons,
  surface: z.enum(['action', 'notice']).default('action'),
  resource: z
    .object({ kind: z.string().min(1).max(60), id: Id })
    .nullable()
    .default(null),
  personId: Id.nullable().default(null),
  dueAt: z.date().nullable().default(null),
})

type RaisedInput = z.input<typeof ActionInput> & { kind: NotificationKind }

/** On the transaction `db`. At most one open action per cause and organization: raising it again updates its texts. */
export async function raiseAction(db: Database, { kind, ...input }: RaisedInput): Promise<void> {
  const { resource, ...raised } = ActionInput.parse(input)
  const texts = { title: raised.title, reason: raised.reason, href: raised.href, actions: raised.actions }
  const audience = {
    service: kind.service,
    kind: kind.name,
    permission: kind.permission,
    resourceKind: resource?.kind ?? null,
    resourceId: resource?.id ?? null,
    dueAt: raised.dueAt,
  }
  const { title, reason, href, actions, dueAt, kind: kindName } = raisedActions
  const words = sql`(${title}, ${reason}, ${href}, ${actions}, ${dueAt}, ${kindName})`
  await db
    .insert(raisedActions)
    .values({ id: newId(), ...raised, ...audience, raisedAt: sql`now()` })
    .onConflictDoUpdate({
      target: [raisedActions.cause, raisedActions.organizationId],
      targetWhere: sql`resolved_at IS NULL`,
      set: { ...texts, ...audience, version: sql`${raisedActions.version} + 1` },
      setWhere: sql`${words} IS DISTINCT FROM
        (excluded.title, excluded.reason, excluded.href, excluded.actions, excluded.due_at, excluded.kind)`,
    })
  await publishOnCommit(db, raisedActionEvent)
}

/** Resolves the open actions of a cause, of all organizations, on the transaction `db`. Raising the cause later makes a new action. */
export async function resolveAction(db: Database, cause: string): Promise<void> {
  const resolved = await db
    .update(raisedActions)
    .set({ resolvedAt: sql`now()`, version: sql`${raisedActions.version} + 1` })
    .where(and(eq(raisedActions.cause, cause), isNull(raisedActions.resolvedAt)))
    .returning({ id: raisedActions.id })
  if (resolved.length > 0) await publishOnCommit(db, raisedActionEvent)
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
