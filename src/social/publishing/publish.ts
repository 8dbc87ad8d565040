import { and, eq, inArray } from 'drizzle-orm'
import type { Config } from '#config'
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
import { accountOf, renewTokens, type ConnectionRow } from '../accounts/tokens.ts'
import { outgoingMedia } from '../media/outgoing.ts'
import { limitsOf } from '../networks/limits.ts'
import type { Receipt } from '../networks/network.ts'
import { outsideOf } from '../networks/outside.ts'
import { posts } from '../schema.ts'
import type { Claim } from './claim.ts'
import type { Attempt } from './attempt.ts'
import { fence, type Fence, type Suspension } from './fence.ts'
import type { Leases } from './lease.ts'
import type { Place } from './places.ts'
import { find, note, send, type Ending, type Sending } from './send.ts'
import { fail, letWait, release, settle } from './settle.ts'
import type { Observe } from './steps.ts'
import { suspensionOf } from './suspension.ts'

/** What publishing one post needs. */
export interface Publishing {
  database: DatabaseHandle
  config: Config
  secrets: Secrets
  outbound: Outbound
  storage: Storage
  events: Events
  queue: Queue
  identity: IdentityClient
  now: Clock
  /** This server's own address. */
  baseUrl: () => string
  observe: Observe
  /** Told how late a post’s first attempt began, in seconds. */
  late?: (provider: string, seconds: number) => void
  owner: string
  leases: Leases
  stopping: AbortSignal
}

/** Takes one claimed post to its end: published, failed, waiting, or left to another process. */
export async function publish(publishing: Publishing, { postId, brandId }: Claim, place: Place): Promise<void> {
  const { database, observe, stopping } = publishing
  for (;;) {
    const suspension = await suspensionOf(publishing, brandId)
    const decision = await database.transaction((tx) => decide(tx, publishing, postId, suspension))
    if (decision.kind !== 'send' && decision.kind !== 'reconcile') return
    if (decision.kind === 'send') {
      observe('fenced', postId)
      tellLateness(publishing, decision)
    }
    const { attempt } = decision
    const facts = { provider: attempt.provider, post: postId, attempt: attempt.number }
    const ending = await withSpan({ name: `${decision.kind} post`, facts }, () => endingOf(publishing, decision, place))
    if (ending.kind === 'lost') return
    observe('settling', postId)
    const settled = await settleOnce(publishing, decision, ending)
    observe('settled', postId)
    if (!settled || ending.kind !== 'not_arrived') return
    if (stopping.aborted) return void (await database.transaction((tx) => release(tx, publishing, postId)))
  }
}

/** Settles; a network that names a post which another one of the brand already is can't say what became of this one. */
async function settleOnce(
  publishing: Publishing,
  decision: Extract<Fence, { kind: 'send' | 'reconcile' }>,
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

/** How long after its time the first attempt of a post began. */
function tellLateness({ late }: Publishing, { attempt, due }: Extract<Fence, { kind: 'send' }>): void {
  if (due && attempt.number === 1) late?.(attempt.provider, (attempt.startedAt.getTime() - due.getTime()) / 1000)
}

/** The fence, and what follows from it at once, in one transaction. */
async function decide(tx: Database, publishing: Publishing, postId: string, suspension: Suspension): Promise<Fence> {
  const { events, owner } = publishing
  const decision = await fence(tx, postId, owner, suspension)
  if (decision.kind === 'fail') await fail(tx, publishing, postId, decision.failure)
  if (decision.kind === 'wait') await letWait(tx, publishing, postId, decision.waiting)
  if (decision.kind === 'send') await events.publish(tx, 'social.post', { brandId: decision.attempt.brandId, postId })
  return decision
}

async function endingOf(
  publishing: Publishing,
  decision: Extract<Fence, { kind: 'send' | 'reconcile' }>,
  place: Place,
): Promise<Ending> {
  const { attempt, network, connection } = decision
  if (!network) return { kind: 'unknown', message: `${attempt.provider} is no longer supported.` }
  const sending = sendingOf(publishing, { attempt, network, connection }, place)
  if (decision.kind === 'send') return sendWithMedia(publishing, sending, connection)
  note(sending, 'taken_over', 'The server that sent it stopped before it could record the result.')
  return find(sending)
}

async function sendWithMedia(publishing: Publishing, sending: Sending, connection: ConnectionRow): Promise<Ending> {
  const { database, storage } = publishing
  const { attempt, network } = sending
  const { brandId, payload } = attempt
  const limits = limitsOf(network, connection.metadata)
  const media = await outgoingMedia(database.db, storage, { brandId, media: payload.media ?? [] }, limits).catch(
    (cause: unknown) => {
      if (cause instanceof Problem) return cause
      throw cause
    },
  )
  if (media instanceof Problem) return unsent('storage_unavailable', media.message)
  if (!media) return unsent('media_missing', 'The file of an image no longer exists. Upload the image again.')
  return send({ ...sending, media })
}

const unsent = (code: string, message: string): Ending => ({
  kind: 'failed',
  failure: { code, message, retryable: true },
})

type Ready = Pick<Extract<Fence, { kind: 'send' }>, 'attempt' | 'network' | 'connection'>

function sendingOf(publishing: Publishing, { attempt, network, connection }: Ready, place: Place): Sending {
  const { config, leases, observe, now, stopping, database, secrets, queue, events } = publishing
  const outside = outsideOf(config, publishing.baseUrl(), publishing.outbound)
  const timeoutMs = config.PROVIDER_TIMEOUT_MS
  return {
    attempt,
    network,
    account: accountOf(secrets, connection),
    media: [],
    outside,
    timeoutMs,
    budgetMs: config.PUBLISH_RETRY_BUDGET_MS,
    now,
    stopping,
    covers: () => leases.covers(attempt.postId),
    rest: (ms) => place.rest(ms, stopping),
    unclaimed: (receipts) => unclaimed(database.db, attempt, receipts),
    renew: (refused, message) =>
      renewTokens({
        emitting: { queue, events, now },
        database,
        secrets,
        outside,
        network,
        connectionId: connection.id,
        refused,
        message,
        timeoutMs,
      }),
    sending: () => observe('sending', attempt.postId),
    answered: () => observe('answered', attempt.postId),
  }
}

/** The receipts that no post of any brand holds yet: each belongs to one post. */
async function unclaimed(
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
