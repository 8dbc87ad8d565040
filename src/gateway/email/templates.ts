import { and, asc, eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, invalid, notFound } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { byId } from '#lib/paginate.ts'
import { emailTemplates as table } from '../schema.ts'

type TemplateCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now'>
type Row = typeof table.$inferSelect

export interface TemplateDraft {
  name: string
  subject: string
  text?: string | undefined
  html?: string | undefined
}

const maxTemplates = 200
/** Characters that the values of an email's variables can have together, each as often as it is used. */
const maxRendered = 1024 * 1024

const placeholder = /\{\{\s*([a-zA-Z]\w{0,39})\s*\}\}/g

export const describeTemplate = (row: Row) => ({ ...row, variables: variablesOf(row) })

const variablesOf = ({ subject, text, html }: Pick<Row, 'subject' | 'text' | 'html'>): string[] => [
  ...new Set(
    [subject, text ?? '', html ?? ''].flatMap((part) => [...part.matchAll(placeholder)].map(([, name]) => name ?? '')),
  ),
]

/** Values are escaped in HTML. @throws {Problem} 422 for an unknown template, a missing variable, and values that are too long */
export async function renderTemplate(
  db: Database,
  organizationId: string,
  name: string,
  variables: Readonly<Record<string, string | number>>,
) {
  const [row] = await db
    .select()
    .from(table)
    .where(and(eq(table.organizationId, organizationId), eq(table.name, name)))
  if (!row) throw invalid([{ path: 'template', message: `This organization has no template ${name}.` }])
  const missing = variablesOf(row).filter((variable) => !Object.hasOwn(variables, variable))
  if (missing.length > 0)
    throw invalid(
      missing.map((variable) => ({ path: `variables.${variable}`, message: `Required by the template ${name}.` })),
    )
  let left = maxRendered
  const fill = (part: string, write: (value: string) => string) =>
    part.replaceAll(placeholder, (_, variable: string) => {
      const value = write(String(variables[variable]))
      left -= value.length
      if (left < 0) throw tooLong(name)
      return value
    })
  const keep = (value: string) => value
  return {
    subject: fill(row.subject, (value) => value.replaceAll(/[\r\n]+/g, ' ')).slice(0, 500),
    text: row.text === null ? null : fill(row.text, keep),
    html: row.html === null ? null : fill(row.html, (value) => Bun.escapeHTML(value)),
  }
}

const tooLong = (name: string) =>
  invalid([
    { path: 'variables', message: `The email would be too long: the template ${name} repeats these values too often.` },
  ])

export async function listTemplates({ db, actor }: TemplateCall, query: { limit: number; cursor?: string }) {
  const slice = byId(table.id).slice(query)
  const rows = await db
    .select()
    .from(table)
    .where(and(eq(table.organizationId, organizationOf(actor, 'usage:read')), slice.where))
    .orderBy(...slice.order)
    .limit(slice.limit)
  const { items, nextCursor } = slice.page(rows)
  return { items: items.map(describeTemplate), nextCursor }
}

const own = (actor: Actor, id: string) =>
  and(eq(table.id, id), eq(table.organizationId, organizationOf(actor, 'usage:read')))

/** @throws {Problem} 404 */
export async function getTemplate(db: Database, actor: Actor, id: string): Promise<Row> {
  const [row] = await db.select().from(table).where(own(actor, id)).orderBy(asc(table.id))
  if (!row) throw notFound('template')
  return row
}

/** @throws {Problem} 409 `template_exists`, and beyond 200 */
export async function createTemplate({ db, actor, now }: TemplateCall, draft: TemplateDraft): Promise<Row> {
  const organizationId = organizationOf(actor, 'org:admin')
  if ((await db.$count(table, eq(table.organizationId, organizationId))) >= maxTemplates)
    throw conflict(
      'too_many_templates',
      `An organization can have at most ${maxTemplates} templates. Delete one first.`,
    )
  const at = now()
  const { name, subject, text = null, html = null } = draft
  const [row] = await db
    .insert(table)
    .values({
      id: newId(),
      organizationId,
      name,
      subject,
      text,
      html,
      createdBy: actor.principal.id,
      createdAt: at,
      updatedAt: at,
    })
    .onConflictDoNothing()
    .returning()
  if (!row) throw conflict('template_exists', `There is already a template with the name ${name}.`)
  recordChange(db, { object: 'email_template', id: row.id, after: { name, subject } })
  return row
}

/** @throws {Problem} 404, 409 `template_exists` */
export async function replaceTemplate(call: TemplateCall, id: string, draft: TemplateDraft): Promise<Row> {
  const { db, actor, now } = call
  const before = await getTemplate(db, actor, id)
  const { name, subject, text = null, html = null } = draft
  const [taken] = await db
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.organizationId, before.organizationId), eq(table.name, name)))
  if (taken && taken.id !== id) throw conflict('template_exists', `There is already a template with the name ${name}.`)
  const [row] = await db
    .update(table)
    .set({ name, subject, text, html, updatedAt: now() })
    .where(own(actor, id))
    .returning()
  if (!row) throw notFound('template')
  recordChange(db, {
    object: 'email_template',
    id,
    before: { name: before.name, subject: before.subject },
    after: { name, subject },
  })
  return row
}

/** @throws {Problem} 404 */
export async function deleteTemplate(db: Database, actor: Actor, id: string): Promise<void> {
  const [row] = await db.delete(table).where(own(actor, id)).returning()
  if (!row) throw notFound('template')
  recordChange(db, { object: 'email_template', id, before: { name: row.name, subject: row.subject } })
}
