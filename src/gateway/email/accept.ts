import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, invalid, Problem } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { auditedTransaction } from '#lib/audit.ts'
import { unsubscribeHeaders } from '#lib/mail/letter.ts'
import { and, eq } from 'drizzle-orm'
import { attributionOf, type Attribution } from '../ai/attribution.ts'
import { refusalProblem } from '../budgets/refusal.ts'
import type { Hold } from '../budgets/types.ts'
import type { EmailReceipt, RecipientField } from '../contract/email.ts'
import type { DomainKind } from '../contract/senders.ts'
import { findRoute, type Route } from '../email-transports/choose.ts'
import { emailEvents, emailMessages, emailRecipients } from '../schema.ts'
import { platformSender } from '../senders/platform-sender.ts'
import { findDefault, findOwned, stateOf, type OwnedSender } from '../senders/senders.ts'
import type { UsageRow } from '../usage/insert.ts'
import { fingerprintOf, sealContent, type Content } from './content.ts'
import { bytesOf, type EmailInput } from './input.ts'
import { planWith } from './jobs.ts'
import { costOfEmail, type EmailCost } from './prices.ts'
import { statusOf } from './status.ts'
import { findSuppressed, suppressedResponse } from './suppressions.ts'
import { renderTemplate } from './templates.ts'

export type AcceptCall = Call<unknown, Actor>

/** Whose usage emails of the platform itself are. */
export const platformOrganization = '00000000-0000-0000-0000-000000000000'

/** That are kept in the activity of an email. */
const maxRepeated = 20

interface Sender {
  id: string
  address: string
  name: string
  replyTo: string | null
  kind: DomainKind
}

interface Accepted {
  id: string
  attribution: Omit<Attribution, 'organizationId'> & { organizationId: string | null }
  sender: Sender
  content: Content & { subject: string }
  recipients: readonly { address: string; field: RecipientField; isSuppressed: boolean }[]
  route: Route
  fingerprint: string
  cost: EmailCost
}

/**
 * Stores an email to be sent once; the same ID with the same content returns the first response. @throws {Problem} 402
 * `budget_exceeded`, 403 `sender_not_allowed`, 409 `sender_not_ready` and `email_exists`, 422
 */
export async function acceptEmail(call: AcceptCall, input: EmailInput): Promise<EmailReceipt> {
  const { db, secrets, now } = call
  requireService(call.actor, input)
  const attribution = await attribute(call, input)
  const id = input.id?.toLowerCase() ?? newId()
  const fingerprint = fingerprintOf(secrets, [attribution.organizationId, { ...input, id }])
  if (input.id !== undefined) {
    const known = await findAccepted(call, id, fingerprint)
    if (known) return known
  }
  const sender = await chooseSender(call, input, attribution.organizationId)
  const content = await contentOf(db, attribution.organizationId, input)
  const recipients = await recipientsOf(db, attribution.organizationId, input)
  const route = await findRoute(call, { ...attribution, kind: sender.kind })
  const charged = recipients.filter(({ isSuppressed }) => !isSuppressed).length
  const { organizationId } = attribution
  const cost = await costOfEmail(call, { organizationId, provider: route.provider, recipients: charged }, now())
  const accepted = { id, attribution, sender, content, recipients, route, fingerprint, cost }
  return charged === 0 ? store(call, input, accepted) : storeAndCount(call, input, accepted, charged)
}

function requireService({ tokenType }: Actor, { system, hold }: EmailInput): void {
  if (tokenType === 'service' || (!system && !hold)) return
  throw new Problem(403, 'permission_missing', `Only services can set ${system ? 'system' : 'hold'}.`, {
    members: { permission: 'service' },
  })
}

async function attribute(call: AcceptCall, { system }: EmailInput): Promise<Accepted['attribution']> {
  const { actor, request } = call
  if (system && request.headers.get('x-organization-id') === null)
    return { organizationId: null, applicationId: actor.service, apiKeyId: null, userId: null, test: false }
  const attribution = await attributionOf(call)
  return { ...attribution, applicationId: attribution.applicationId ?? actor.service }
}

/** Null for a new one. @throws {Problem} 409 `email_exists` for an ID that was used with other content */
async function findAccepted({ db, now }: AcceptCall, id: string, fingerprint: string): Promise<EmailReceipt | null> {
  const known = await findStored(db, id, fingerprint)
  if (!known) return null
  const repeated = { messageId: id, type: 'repeated' } as const
  const before = await db.$count(emailEvents, and(eq(emailEvents.messageId, id), eq(emailEvents.type, repeated.type)))
  if (before < maxRepeated) await db.insert(emailEvents).values({ ...repeated, id: newId(), at: now() })
  return known
}

async function chooseSender(
  call: AcceptCall,
  { from, replyTo, system }: EmailInput,
  organizationId: string | null,
): Promise<Sender> {
  const { db, actor, config } = call
  const platform = platformSender(config)
  const usesPlatform = from === undefined ? system || organizationId === null : from.toLowerCase() === platform.id
  if (usesPlatform) return ofPlatform(actor, platform, replyTo ?? null)
  if (organizationId === null) throw invalid([{ path: 'from', message: 'This sender doesn’t exist.' }])
  const owned = await (from === undefined ? findDefault(db, organizationId) : findOwned(db, organizationId, from))
  if (!owned && from === undefined && actor.tokenType === 'service') return ofPlatform(actor, platform, replyTo ?? null)
  if (!owned)
    throw invalid([
      {
        path: 'from',
        message:
          from === undefined ? 'Required, since the organization has no default sender.' : 'This sender doesn’t exist.',
      },
    ])
  const { state, stateReason } = stateOf(owned)
  // Emails of a paused sender wait.
  if (state === 'waiting' && !(await isOffline(call, owned.domain)))
    throw conflict('sender_not_ready', `${owned.sender.address} can’t send yet. ${stateReason ?? ''}`.trim())
  const { id, address, name } = owned.sender
  return { id, address, name, replyTo: replyTo ?? owned.sender.replyTo, kind: owned.domain.kind }
}

/** In development and tests nothing leaves this machine, so the domain needs no DNS records. */
const isOffline = async (call: AcceptCall, { organizationId, kind }: OwnedSender['domain']): Promise<boolean> =>
  call.config.offlineHelps && (await findRoute(call, { organizationId, kind, test: false })).provider === 'mailbox'

/** People could send in the platform’s name. */
function ofPlatform(
  actor: Actor,
  { id, address, name }: ReturnType<typeof platformSender>,
  replyTo: string | null,
): Sender {
  if (actor.tokenType === 'service') return { id, address, name, replyTo, kind: 'platform' }
  throw new Problem(
    403,
    'sender_not_allowed',
    'Only services can send from the platform’s address. Use a sender of your organization.',
  )
}

async function contentOf(db: Database, organizationId: string | null, input: EmailInput): Promise<Accepted['content']> {
  const { subject = '', text = null, html = null, template, variables } = input
  const attachments = input.attachments.map(({ name, type, content }) => ({ name, type, content }))
  const headers: Record<string, string> = input.system
    ? { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(input.unsubscribe) }
    : {}
  if (template === undefined) return { subject, text: text || null, html: html || null, attachments, headers }
  if (organizationId === null) throw invalid([{ path: 'template', message: 'Templates belong to organizations.' }])
  return { ...(await renderTemplate(db, organizationId, template, variables)), attachments, headers }
}

/** Each address once. */
async function recipientsOf(db: Database, organizationId: string | null, { to, cc, bcc, system }: EmailInput) {
  const fields = new Map<string, RecipientField>()
  for (const [field, addresses] of [
    ['to', to],
    ['cc', cc],
    ['bcc', bcc],
  ] as const)
    for (const address of addresses) if (!fields.has(address)) fields.set(address, field)
  const suppressed =
    system || organizationId === null ? new Set<string>() : await findSuppressed(db, organizationId, [...fields.keys()])
  return [...fields].map(([address, field]) => ({ address, field, isSuppressed: suppressed.has(address) }))
}

/** Its budget is held until it is stored, so that a crash leaves neither an unpaid email nor a payment without one. */
async function storeAndCount(
  call: AcceptCall,
  input: EmailInput,
  accepted: Accepted,
  charged: number,
): Promise<EmailReceipt> {
  const { budgets, ledger } = call
  const row = usageRow(accepted, charged, call.now())
  if (input.system) {
    let isNew = false
    const receipt = await store(call, input, accepted, () => void (isNew = true))
    if (isNew) await ledger.commit([row], { durable: false })
    return receipt
  }
  const hold = await holdBudget(call, accepted)
  let isStored = false
  try {
    return await store(call, input, accepted, () => void (isStored = true))
  } finally {
    await budgets.settle(hold, isStored ? [row] : [])
  }
}

async function holdBudget({ actor, budgets }: AcceptCall, { id, attribution, route, cost }: Accepted): Promise<Hold> {
  const result = await budgets.hold({
    organizationId: attribution.organizationId ?? platformOrganization,
    applicationId: attribution.applicationId,
    apiKeyId: attribution.apiKeyId,
    userId: attribution.userId,
    family: 'email',
    provider: route.provider,
    model: null,
    paidBy: route.paidBy,
    requestId: `email/${id}`,
    maxNanoUsd: cost.nanoUsd,
    minNanoUsd: cost.nanoUsd,
    priced: true,
  })
  if (!result.held) throw refusalProblem(result.refusal, { seesShared: actor.isSuperAdmin })
  return result.hold
}

const usageRow = ({ id, attribution, route, cost, sender }: Accepted, charged: number, at: Date): UsageRow => ({
  id: newId(),
  organizationId: attribution.organizationId ?? platformOrganization,
  requestId: `email/${id}`,
  applicationId: attribution.applicationId,
  apiKeyId: attribution.apiKeyId,
  userId: attribution.userId,
  family: 'email',
  provider: route.provider,
  model: null,
  unit: 'message',
  quantity: charged,
  costNanoUsd: cost.nanoUsd,
  certainty: 'exact',
  paidBy: route.paidBy,
  priceDate: cost.priceDate,
  occurredAt: at,
  metadata: { sender: sender.address },
})

/** `onStored` is called after the commit of a new email, and not for one that another request stored before. */
async function store(
  call: AcceptCall,
  input: EmailInput,
  accepted: Accepted,
  onStored: () => void = () => {},
): Promise<EmailReceipt> {
  const { id, fingerprint } = accepted
  const isNew = await auditedTransaction(call, (tx) => insert(tx, call, input, accepted))
  if (isNew) onStored()
  const receipt = await findStored(call.db, id, fingerprint)
  if (!receipt) throw new Error('The email was not stored')
  return receipt
}

async function findStored(db: Database, id: string, fingerprint: string): Promise<EmailReceipt | null> {
  const [row] = await db.select().from(emailMessages).where(eq(emailMessages.id, id))
  if (!row) return null
  if (row.fingerprint !== fingerprint)
    throw conflict('email_exists', 'This id was already used for another email. Use a new one for each email.')
  return { id, status: await statusOf(db, row) }
}

/** False when another request has stored the same ID. */
async function insert(
  tx: Database,
  call: AcceptCall,
  { system, hold, template }: EmailInput,
  accepted: Accepted,
): Promise<boolean> {
  const { id, attribution, sender, content, recipients, route, fingerprint, cost } = accepted
  const at = call.now()
  const { organizationId, applicationId, apiKeyId, userId, test } = attribution
  const isOpen = recipients.some(({ isSuppressed }) => !isSuppressed)
  const { subject, ...sealed } = content
  const [row] = await tx
    .insert(emailMessages)
    .values({
      id,
      organizationId,
      applicationId,
      apiKeyId,
      userId,
      service: call.actor.service,
      system,
      test,
      senderId: sender.id,
      fromAddress: sender.address,
      fromName: sender.name,
      replyTo: sender.replyTo,
      subject,
      template: template ?? null,
      sealedContent: sealContent(call.secrets, id, sealed),
      attachments: content.attachments.map(({ name, type, content: base64 }) => ({
        name,
        type,
        bytes: bytesOf(base64),
      })),
      fingerprint,
      ...(isOpen
        ? { state: hold ? ('held' as const) : ('queued' as const), nextAttemptAt: at }
        : { state: 'settled' as const, settledAt: at }),
      provider: route.provider,
      costNanoUsd: cost.nanoUsd,
      createdAt: at,
    })
    .onConflictDoNothing()
    .returning({ id: emailMessages.id })
  if (!row) return false
  const shared = { messageId: id, organizationId, senderId: sender.id, createdAt: at }
  await tx.insert(emailRecipients).values(
    recipients.map(({ address, field, isSuppressed }) => ({
      ...shared,
      id: newId(),
      address,
      field,
      ...(isSuppressed
        ? { state: 'suppressed' as const, response: suppressedResponse, settledAt: at }
        : { state: 'queued' as const }),
    })),
  )
  const suppressed = recipients.filter(({ isSuppressed }) => isSuppressed)
  await tx
    .insert(emailEvents)
    .values([
      { id: newId(), messageId: id, type: 'accepted', at, response: call.actor.service },
      ...suppressed.map(({ address }) => ({ id: newId(), messageId: id, type: 'suppressed' as const, at, address })),
    ])
  if (isOpen && !hold) await planWith(call.queue)(tx, { id, organizationId, system })
  return true
}
