import { and, asc, count, eq, gte, inArray, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Database } from '#lib/db.ts'
import { conflict, invalid, notFound } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { resolveAction } from '#lib/raised-actions.ts'
import type { RecipientState } from '../contract/email.ts'
import type { SenderList, StoredSender } from '../contract/senders.ts'
import { domainOf } from '../email/address.ts'
import { resumeMessages } from '../email/resume.ts'
import type { PlanAttempt } from '../email/rows.ts'
import { emailMessages, emailRecipients, senderDomains, senders as table } from '../schema.ts'
import { canManage, type SenderCall } from './domains.ts'
import { platformSender } from './platform-sender.ts'
import type { DomainRow } from './records.ts'
import { pauseCause } from './pause-cause.ts'

type SenderRow = typeof table.$inferSelect
export interface OwnedSender {
  sender: SenderRow
  domain: DomainRow
}

const maxSenders = 200
const recentMs = 30 * 24 * 60 * 60_000

interface Numbers {
  sent: number
  bounced: number
  waiting: number
}

const none: Numbers = { sent: 0, bounced: 0, waiting: 0 }

interface Sent {
  organizationId: string
  senderIds: readonly string[]
  since: Date
}

export function selectSent(db: Database, { organizationId, senderIds, since }: Sent) {
  const { senderId, state, createdAt } = emailRecipients
  const isState = (...states: RecipientState[]) => sql<number>`count(*) FILTER (WHERE ${inArray(state, states)})::int`
  return db
    .select({
      senderId,
      sent: isState('sent', 'delivered', 'bounced', 'complained'),
      bounced: isState('bounced', 'complained'),
    })
    .from(emailRecipients)
    .where(
      and(inArray(senderId, [...senderIds]), eq(emailRecipients.organizationId, organizationId), gte(createdAt, since)),
    )
    .groupBy(senderId)
}

async function readNumbers(
  { db, now }: SenderCall,
  organizationId: string,
  senderIds: readonly string[],
): Promise<Map<string, Numbers>> {
  const [sent, waiting] = await Promise.all([
    selectSent(db, { organizationId, senderIds, since: new Date(now().getTime() - recentMs) }),
    db
      .select({ senderId: emailMessages.senderId, waiting: count() })
      .from(emailMessages)
      .where(
        and(
          inArray(emailMessages.senderId, [...senderIds]),
          eq(emailMessages.organizationId, organizationId),
          inArray(emailMessages.state, ['held', 'queued']),
        ),
      )
      .groupBy(emailMessages.senderId),
  ])
  const numbers = new Map<string, Numbers>(sent.map((row) => [row.senderId, { ...none, ...row }]))
  for (const row of waiting) numbers.set(row.senderId, { ...(numbers.get(row.senderId) ?? none), waiting: row.waiting })
  return numbers
}

/** Those of the organization, then the platform’s. */
export async function listSenders(call: SenderCall): Promise<Omit<SenderList, 'items'> & { items: StoredSender[] }> {
  const { db, actor, config } = call
  const organizationId = organizationOf(actor, 'usage:read')
  const rows = await db
    .select({ sender: table, domain: senderDomains })
    .from(table)
    .innerJoin(senderDomains, eq(senderDomains.id, table.domainId))
    .where(eq(table.organizationId, organizationId))
    .orderBy(asc(table.address))
  const platform = platformSender(config)
  const numbers = await readNumbers(call, organizationId, [...rows.map(({ sender }) => sender.id), platform.id])
  const update = await canManage(call)
  return {
    items: [
      ...rows.map((row) => describe(row, numbers.get(row.sender.id), update)),
      describePlatform(config, numbers.get(platform.id)),
    ],
    nextCursor: null,
    can: { create: update },
  }
}

function describePlatform(config: SenderCall['config'], numbers: Numbers = none): StoredSender {
  const { id, domainId, domain, address, name } = platformSender(config)
  const fixed = { replyTo: null, usedFor: null, isDefault: false, stateReason: null, createdAt: null } as const
  const facts = { kind: 'platform', state: 'ready', can: { update: false } } as const
  return { ...fixed, ...facts, ...numbers, id, domainId, domain, address, name }
}

function describe({ sender, domain }: OwnedSender, numbers: Numbers = none, update: boolean): StoredSender {
  return {
    ...sender,
    ...numbers,
    domain: domain.domain,
    kind: domain.kind,
    ...stateOf({ sender, domain }),
    can: { update },
  }
}

export function stateOf({ sender, domain }: OwnedSender): Pick<StoredSender, 'state' | 'stateReason'> {
  if (sender.pausedAt !== null) return { state: 'paused', stateReason: sender.pausedReason }
  if (domain.verifiedAt !== null) return { state: 'ready', stateReason: null }
  const open = domain.findings.filter(({ state }) => state !== 'correct').length
  const reason =
    open === 0
      ? `${domain.domain} hasn’t been verified yet.`
      : `${open} DNS records for ${domain.domain} need attention.`
  return { state: 'waiting', stateReason: domain.checkError ?? reason }
}

/** Null for another organization’s. */
export async function findOwned(db: Database, organizationId: string, id: string): Promise<OwnedSender | null> {
  const [row] = await db
    .select({ sender: table, domain: senderDomains })
    .from(table)
    .innerJoin(senderDomains, eq(senderDomains.id, table.domainId))
    .where(and(eq(table.id, id), eq(table.organizationId, organizationId)))
  return row ?? null
}

export async function findDefault(db: Database, organizationId: string): Promise<OwnedSender | null> {
  const [row] = await db
    .select({ sender: table, domain: senderDomains })
    .from(table)
    .innerJoin(senderDomains, eq(senderDomains.id, table.domainId))
    .where(and(eq(table.isDefault, true), eq(table.organizationId, organizationId)))
  return row ?? null
}

/** @throws {Problem} 404 */
async function getOwned(db: Database, actor: Actor, id: string): Promise<OwnedSender> {
  const row = await findOwned(db, organizationOf(actor, 'usage:read'), id)
  if (!row) throw notFound('sender')
  return row
}

/** Also the platform’s. @throws {Problem} 404 */
export async function getSender(call: SenderCall, id: string): Promise<StoredSender> {
  const { db, actor, config } = call
  const organizationId = organizationOf(actor, 'usage:read')
  const numbers = (await readNumbers(call, organizationId, [id])).get(id)
  if (id.toLowerCase() === platformSender(config).id) return describePlatform(config, numbers)
  return describe(await getOwned(db, actor, id), numbers, await canManage(call))
}

export interface SenderDraft {
  address: string
  name: string
  replyTo?: string | null | undefined
  usedFor?: string | null | undefined
  isDefault?: boolean | undefined
}

/** @throws {Problem} 409 `sender_exists`, 422 for an address of another domain */
export async function createSender(call: SenderCall, draft: SenderDraft): Promise<string> {
  const { db, actor, now } = call
  const organizationId = organizationOf(actor, 'org:admin')
  const { address, name, replyTo = null, usedFor = null, isDefault } = draft
  const [domain] = await db
    .select({ id: senderDomains.id })
    .from(senderDomains)
    .where(and(eq(senderDomains.organizationId, organizationId), eq(senderDomains.domain, domainOf(address))))
    .for('key share')
  if (!domain)
    throw invalid([
      {
        path: 'address',
        message: `Add the sender domain ${domainOf(address)} first, or use an address of one that you have.`,
      },
    ])
  await lockSenders(db, organizationId)
  const others = await db.$count(table, eq(table.organizationId, organizationId))
  if (others >= maxSenders)
    throw conflict('too_many_senders', `An organization can have at most ${maxSenders} senders. Delete one first.`)
  const id = newId()
  const becomesDefault = isDefault ?? others === 0
  if (becomesDefault) await clearDefault(db, organizationId)
  const [row] = await db
    .insert(table)
    .values({
      id,
      organizationId,
      domainId: domain.id,
      address,
      name,
      replyTo,
      usedFor,
      isDefault: becomesDefault,
      createdBy: actor.principal.id,
      createdAt: now(),
    })
    .onConflictDoNothing({ target: [table.organizationId, table.address] })
    .returning()
  if (!row) throw conflict('sender_exists', `There is already a sender ${address}.`)
  recordChange(db, { object: 'sender', id, after: { address, name, replyTo } })
  return id
}

/** One change at a time: each can be of the default sender, and of their number. */
const lockSenders = async (db: Database, organizationId: string): Promise<void> => {
  await db.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`senders ${organizationId}`}, 0))`)
}

const clearDefault = async (db: Database, organizationId: string): Promise<void> => {
  await db
    .update(table)
    .set({ isDefault: false })
    .where(and(eq(table.organizationId, organizationId), eq(table.isDefault, true)))
}

export interface SenderChange {
  name?: string | undefined
  replyTo?: string | null | undefined
  usedFor?: string | null | undefined
  isDefault?: true | undefined
  paused?: boolean | undefined
}

/** Ending a pause sends what waits. @throws {Problem} 404 */
export async function updateSender(
  call: SenderCall & { plan: PlanAttempt },
  id: string,
  { paused, ...change }: SenderChange,
): Promise<void> {
  const { db, actor, now } = call
  const { sender } = await getOwned(db, actor, id)
  if (change.isDefault) {
    await lockSenders(db, sender.organizationId)
    await clearDefault(db, sender.organizationId)
  }
  const resumes = paused === false && sender.pausedAt !== null
  const pauses = paused === true && sender.pausedAt === null
  const [after] = await db
    .update(table)
    .set({
      ...change,
      // An empty change isn't an update.
      name: change.name ?? sender.name,
      ...(resumes && { pausedAt: null, pausedReason: null, resumedAt: now() }),
      ...(pauses && { pausedAt: now(), pausedReason: 'Paused by an admin.' }),
    })
    .where(eq(table.id, id))
    .returning()
  if (!after) throw notFound('sender')
  if (resumes) {
    await resolveAction(db, pauseCause(id))
    await resumeMessages(db, call.plan, id)
  }
  recordChange(db, { object: 'sender', id, before: sender, after })
}

/** Its emails that wait fail at their next attempt. @throws {Problem} 404 */
export async function deleteSender(call: SenderCall & { plan: PlanAttempt }, id: string): Promise<void> {
  const { db, actor, plan } = call
  const { sender } = await getOwned(db, actor, id)
  await db.delete(table).where(eq(table.id, id))
  await resolveAction(db, pauseCause(id))
  await resumeMessages(db, plan, id)
  recordChange(db, { object: 'sender', id, before: { address: sender.address, name: sender.name } })
}
