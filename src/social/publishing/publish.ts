import { and, eq, inArray } from 'drizzle-orm'
import type { Config } from '#config'
import type { SocialCredentials } from '#gateway'
import type { IdentityClient } from '#identity'
import { brokenConstraint, type Database, type DatabaseHandle } from '#lib/db.ts'
import type { Events } from '#lib/events.ts'
import type { Outbound } from '#lib/outbound.ts'
import type { Queue } from '#lib/queue.ts'
import { Problem } from '#lib/errors.ts'
import type { Secrets } from '#lib/secrets.ts'
import type { Storage } from '#lib/storage.ts'
import { withSpan } from '#lib/telemetry.ts'
import type { Clock } from '#lib/time.ts'
import { openAccount, renewTokens, type ConnectionRow } from '../accounts/tokens.ts'
import { loadOutgoingMedia } from '../media/outgoing.ts'
import { createMediaPath } from '../media/public-link.ts'
import { limitsOf } from '../networks/limits.ts'
import type { Receipt } from '../networks/network.ts'
import { outsideOf } from '../networks/outside.ts'
import { posts } from '../schema.ts'
import type { Claim } from './claim.ts'
import type { Attempt } from './attempt.ts'
import { prepareAttempt, type PublishDecision, type Suspension } from './prepare-attempt.ts'
import type { Leases } from './lease.ts'
import type { Slot } from './slots.ts'
import { reconcile, recordEvent, send, type Ending, type SendContext } from './send.ts'
import { fail, postpone, release, settle } from './settle.ts'
import type { Observe } from './steps.ts'
import { getSuspension } from './suspension.ts'

export interface Publishing {
  database: DatabaseHandle
  config: Config
  secrets: Secrets
  outbound: Outbound
  storage: Storage
  events: Events
  queue: Queue
  identity: IdentityClient
  gateway: { readonly social: SocialCredentials }
  now: Clock
  baseUrl: () => string
  observe: Observe
  onLateness?: (provider: string, seconds: number) => void
  owner: string
  leases: Leases
  stopping: AbortSignal
}

/** Publishes a claimed post: afterwards it is published, failed, waiting, or another process continues. */
export async function publish(publishing: Publishing, { postId, brandId }: Claim, slot: Slot): Promise<void> {
  const { database, observe, stopping } = publishing
  for (;;) {
    const suspension = await getSuspension(publishing, brandId)
    const decision = await database.transaction((tx) => decide(tx, publishing, postId, suspension))
    if (decision.kind !== 'send' && decision.kind !== 'reconcile') return
    if (decision.kind === 'send') {
      observe('prepared', postId)
      recordLateness(publishing, decision)
    }
    const { attempt } = decision
    const facts = { provider: attempt.provider, post: postId, attempt: attempt.number }
    const ending = await withSpan({ name: `${decision.kind} post`, facts }, () =>
      runAttempt(publishing, decision, slot),
    )
    if (ending.kind === 'lost') return
    observe('settling', postId)
    const settled = await settleAttempt(publishing, decision, ending)
    observe('settled', postId)
    if (!settled || ending.kind !== 'not_arrived') return
    if (stopping.aborted) return void (await database.transaction((tx) => release(tx, publishing, postId)))
  }
}

/** When the network responded with the ID of another post of the brand, the outcome is unknown. */
async function settleAttempt(
  publishing: Publishing,
  decision: Extract<PublishDecision, { kind: 'send' | 'reconcile' }>,
  ending: Exclude<Ending, { kind: 'lost' }>,
): Promise<boolean> {
  const { database } = publishing
  try {
    return await database.transaction((tx) => settle(tx, publishing, decision, ending))
  } catch (error) {
    if (ending.kind !== 'published' || brokenConstraint(error) !== 'posts_delivered') throw error
    const message = `The network responded with the ID of another post: ${ending.receipt.platformPostId}`
    return database.transaction((tx) => settle(tx, publishing, decision, { kind: 'unknown', message }))
  }
}

function recordLateness(
  { onLateness }: Publishing,
  { attempt, due }: Extract<PublishDecision, { kind: 'send' }>,
): void {
  if (due && attempt.number === 1) onLateness?.(attempt.provider, (attempt.startedAt.getTime() - due.getTime()) / 1000)
}

/** Decides on a post and applies the decision, in one transaction. */
async function decide(
  tx: Database,
  publishing: Publishing,
  postId: string,
  suspension: Suspension,
): Promise<PublishDecision> {
  const { events, owner } = publishing
  const decision = await prepareAttempt(tx, postId, owner, suspension)
  if (decision.kind === 'fail') await fail(tx, publishing, postId, decision.failure)
  if (decision.kind === 'wait') await postpone(tx, publishing, postId, decision.waiting)
  if (decision.kind === 'send') await events.publish(tx, 'social.post', { brandId: decision.attempt.brandId, postId })
  return decision
}

async function runAttempt(
  publishing: Publishing,
  decision: Extract<PublishDecision, { kind: 'send' | 'reconcile' }>,
  slot: Slot,
): Promise<Ending> {
  const { attempt, network, connection } = decision
  if (!network) return { kind: 'unknown', message: `${attempt.provider} is no longer supported.` }
  const sending = createSendContext(publishing, { attempt, network, connection }, slot)
  if (decision.kind === 'send') return sendWithMedia(publishing, sending, connection)
  recordEvent(sending, 'taken_over', 'The server that sent it stopped before it could record the result.')
  return reconcile(sending)
}

async function sendWithMedia(publishing: Publishing, sending: SendContext, connection: ConnectionRow): Promise<Ending> {
  const { config, database, now, secrets, storage } = publishing
  const { attempt, network } = sending
  const { brandId, payload } = attempt
  const origin = config.PUBLIC_URL ?? publishing.baseUrl()
  const media = await loadOutgoingMedia(
    database.db,
    storage,
    { brandId, media: payload.media ?? [] },
    {
      limits: limitsOf(network, connection.metadata),
      urlOf: (file) => new URL(createMediaPath(secrets, file, now()), origin).href,
    },
  ).catch((cause: unknown) => {
    if (cause instanceof Problem) return cause
    throw cause
  })
  if (media instanceof Problem) return createUnsentFailure('storage_unavailable', media.message)
  if (!media)
    return createUnsentFailure('media_missing', 'The file of an image no longer exists. Upload the image again.')
  return send({ ...sending, media })
}

const createUnsentFailure = (code: string, message: string): Ending => ({
  kind: 'failed',
  failure: { code, message, retryable: true },
})

type ReadyAttempt = Pick<Extract<PublishDecision, { kind: 'send' }>, 'attempt' | 'network' | 'connection'>

function createSendContext(
  publishing: Publishing,
  { attempt, network, connection }: ReadyAttempt,
  slot: Slot,
): SendContext {
  const { config, gateway, leases, observe, now, stopping, database, secrets, queue, events } = publishing
  const outside = outsideOf(config, publishing.baseUrl(), publishing.outbound)
  const timeoutMs = config.PROVIDER_TIMEOUT_MS
  return {
    attempt,
    network,
    account: openAccount(secrets, connection),
    expiresAt: connection.expiresAt,
    media: [],
    outside,
    timeoutMs,
    budgetMs: config.PUBLISH_RETRY_BUDGET_MS,
    now,
    stopping,
    hasLease: () => leases.hasTimeFor(attempt.postId),
    rest: (ms) => slot.rest(ms, stopping),
    filterUnclaimed: (receipts) => filterUnclaimed(database.db, attempt, receipts),
    renewTokens: (refused, message) =>
      renewTokens({
        emitting: { queue, events, now },
        database,
        secrets,
        credentials: gateway.social,
        outside,
        network,
        connectionId: connection.id,
        refused,
        message,
        timeoutMs,
      }),
    onSending: () => observe('sending', attempt.postId),
    onResponse: () => observe('answered', attempt.postId),
  }
}

/** Each receipt belongs to one post. */
async function filterUnclaimed(
  db: Database,
  { provider, externalAccount }: Attempt,
  receipts: Receipt[],
): Promise<Receipt[]> {
  if (receipts.length === 0) return []
  const ids = receipts.map(({ platformPostId }) => platformPostId)
  const held = await db
    .select({ id: posts.platformPostId })
    .from(posts)
    .where(
      and(eq(posts.provider, provider), eq(posts.externalAccount, externalAccount), inArray(posts.platformPostId, ids)),
    )
  const taken = new Set(held.map(({ id }) => id))
  return receipts.filter(({ platformPostId }) => !taken.has(platformPostId))
}
