import { and, eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, forbidden, invalid, notFound } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { urlProblem } from '#lib/outgoing-webhooks/url.ts'
import { resolveAction } from '#lib/raised-actions.ts'
import { sealContext } from '#lib/secrets/sealed.ts'
import { chatWebhooks, notificationDeliveries } from '../../schema.ts'
import { settleDeliveries } from '../claim.ts'
import type { ChatWebhookEdit } from './contract.ts'
import { chatCause } from './failing.ts'
import type { ChatRow } from './row.ts'
import { formatOf, hintOf } from './format.ts'

type ChatCall = Pick<
  Call<unknown, Actor>,
  'db' | 'actor' | 'now' | 'secrets' | 'outbound' | 'config' | 'notificationKinds'
>

const contextOf = (id: string): string => sealContext(chatWebhooks.sealedUrl, id)

export const openUrl = ({ secrets }: Pick<Call, 'secrets'>, { id, sealedUrl }: ChatRow): string =>
  secrets.open(sealedUrl, contextOf(id))

/** It is of the whole organization: roles and keys that are limited to brands don’t see it. @throws {Problem} 403 */
export function wholeOrganization(actor: Actor, permission: 'settings:read' | 'settings:write'): string {
  if (actor.bindings.length > 0) throw forbidden(permission)
  return organizationOf(actor, permission)
}

export async function findChat(db: Database, organizationId: string): Promise<ChatRow | null> {
  const [row] = await db.select().from(chatWebhooks).where(eq(chatWebhooks.organizationId, organizationId))
  return row ?? null
}

/** @throws {Problem} 422 */
export function checkUrl(call: Pick<ChatCall, 'outbound' | 'config'>, url: string): URL {
  const parsed = URL.parse(url)
  const problem = urlProblem(call, parsed)
  if (!parsed || problem) throw invalid([{ path: 'url', message: problem ?? 'Must be a full URL.' }])
  return parsed
}

/** Connects or changes it. @throws {Problem} 422; 409 when another admin connects one at the same moment */
export async function saveChat(
  call: ChatCall,
  organizationId: string,
  { url, enabled, choices = [] }: ChatWebhookEdit,
): Promise<ChatRow> {
  const { db, now, secrets } = call
  const [before] = await db
    .select()
    .from(chatWebhooks)
    .where(eq(chatWebhooks.organizationId, organizationId))
    .for('update')
  if (!before && url === undefined) throw invalid([{ path: 'url', message: 'Required to connect a chat.' }])
  const parsed = url === undefined ? null : checkUrl(call, url)
  const id = before?.id ?? newId()
  const at = now()
  const address = parsed
    ? {
        format: formatOf(parsed),
        hint: hintOf(parsed),
        sealedUrl: secrets.seal(parsed.href, contextOf(id)),
      }
    : {}
  const isRestarted = parsed !== null || enabled === true
  const changes = {
    ...address,
    choices: changeChoices(call, before?.choices ?? {}, choices),
    enabled: enabled ?? (parsed ? true : (before?.enabled ?? true)),
    ...(isRestarted && { failures: 0, failingSince: null, problem: null }),
    updatedAt: at,
  }
  const row = before
    ? await update(db, before, changes)
    : await insert(db, { id, organizationId, createdAt: at, ...changes })
  if (isRestarted) await resolveAction(db, chatCause(id))
  recordChange(db, {
    object: 'chat_webhook',
    id,
    ...(before && { before: auditFields(before) }),
    after: auditFields(row),
  })
  return row
}

async function update(db: Database, { id, version }: ChatRow, changes: Partial<ChatRow>): Promise<ChatRow> {
  const [row] = await db
    .update(chatWebhooks)
    .set({ ...changes, version: version + 1 })
    .where(eq(chatWebhooks.id, id))
    .returning()
  if (!row) throw notFound('chat webhook')
  return row
}

type NewChat = Pick<ChatRow, 'id' | 'organizationId' | 'createdAt' | 'updatedAt'> & Partial<ChatRow>

async function insert(db: Database, values: NewChat): Promise<ChatRow> {
  const { format, sealedUrl, hint } = values
  if (!format || !sealedUrl || hint === undefined) throw new Error('A chat webhook needs a URL')
  const [row] = await db
    .insert(chatWebhooks)
    .values({ ...values, format, sealedUrl, hint })
    .onConflictDoNothing({ target: chatWebhooks.organizationId })
    .returning()
  if (!row)
    throw conflict(
      'chat_connected',
      'Another person connected a chat at the same time. Load the page again to see which one.',
    )
  return row
}

function changeChoices(
  { notificationKinds }: Pick<ChatCall, 'notificationKinds'>,
  before: ChatRow['choices'],
  changed: NonNullable<ChatWebhookEdit['choices']>,
): ChatRow['choices'] {
  const all = { ...before }
  for (const [at, { kind, enabled }] of changed.entries()) {
    if (!notificationKinds.some(({ name }) => name === kind))
      throw invalid([{ path: `choices.${at}.kind`, message: 'Must be a kind of the list.' }])
    all[kind] = enabled
  }
  return all
}

/** What waits is dropped with it. @throws {Problem} 404 */
export async function deleteChat({ db, now }: Pick<ChatCall, 'db' | 'now'>, organizationId: string): Promise<void> {
  const [row] = await db.delete(chatWebhooks).where(eq(chatWebhooks.organizationId, organizationId)).returning()
  if (!row) throw notFound('chat webhook')
  await settleWaiting(db, row.id, { state: 'dropped', problem: 'The chat was disconnected.' }, now())
  await resolveAction(db, chatCause(row.id))
  recordChange(db, { object: 'chat_webhook', id: row.id, before: auditFields(row) })
}

export async function settleWaiting(
  db: Database,
  webhookId: string,
  outcome: Parameters<typeof settleDeliveries>[2],
  at: Date,
): Promise<void> {
  const { id, channel, targetId, state } = notificationDeliveries
  const waiting = await db
    .select({ id })
    .from(notificationDeliveries)
    .where(and(eq(channel, 'chat'), eq(targetId, webhookId), eq(state, 'waiting')))
  await settleDeliveries(
    db,
    waiting.map((row) => row.id),
    outcome,
    at,
  )
}

const auditFields = ({ hint, format, enabled, choices }: ChatRow) => ({
  url: hint,
  format,
  enabled,
  choices: JSON.stringify(choices),
})
