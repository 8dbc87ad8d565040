import { and, eq, inArray } from 'drizzle-orm'
import type { Config } from '#config'
import type { SocialCredentials, VideoClient } from '#gateway'
import type { IdentityClient } from '#identity'
import type { Database, DatabaseHandle } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import type { Events } from '#lib/events.ts'
import type { Outbound } from '#lib/outbound.ts'
import type { Queue } from '#lib/queue.ts'
import type { Secrets } from '#lib/secrets.ts'
import type { Storage } from '#lib/storage.ts'
import type { Clock } from '#lib/time.ts'
import { openAccount, renewTokens, type ConnectionRow } from '../accounts/tokens/tokens.ts'
import { createOutgoingLink } from '../link-previews/outgoing.ts'
import { loadOutgoingMedia } from '../media/outgoing.ts'
import { createMediaPath } from '../media/links/public-link.ts'
import { limitsOf } from '../networks/limits.ts'
import type { Account, Network, Receipt, VideoAccess } from '../networks/network.ts'
import { outsideOf } from '../networks/outside.ts'
import { brands, posts } from '../schema.ts'
import type { Outgoing } from './attempt.ts'
import type { Leases } from './lease.ts'
import { openProgress } from './preparation/preparations.ts'
import { recordEvent, type Ending, type SendContext } from './send.ts'
import type { Slot } from './slots.ts'
import type { Observe } from './steps.ts'

export interface Publishing {
  database: DatabaseHandle
  config: Config
  secrets: Secrets
  outbound: Outbound
  storage: Storage
  events: Events
  queue: Queue
  identity: IdentityClient
  gateway: { readonly social: SocialCredentials; readonly video: VideoClient }
  now: Clock
  baseUrl: () => string
  observe: Observe
  onLateness?: (provider: string, seconds: number) => void
  owner: string
  leases: Leases
  stopping: AbortSignal
}

type UnsentFailure = Extract<Ending, { kind: 'failed' }>

/** Adds the files. @returns a failure when one is missing, else what `work` returns */
export async function withMedia<Context extends SendContext, Result>(
  publishing: Publishing,
  sending: Context,
  connection: ConnectionRow,
  work: (sending: Context) => Promise<Result>,
): Promise<Result | UnsentFailure> {
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
  return work({ ...sending, media })
}

const createUnsentFailure = (code: string, message: string): UnsentFailure => ({
  kind: 'failed',
  failure: { code, message, retryable: true },
})

interface Sent {
  outgoing: Outgoing
  network: Network
  connection: ConnectionRow
  prepared: string | null
}

export function createSendContext(
  publishing: Publishing,
  { outgoing: attempt, network, connection, prepared }: Sent,
  slot: Slot,
): SendContext {
  const { config, gateway, leases, observe, now, stopping, database, secrets, queue, events } = publishing
  const outside = outsideOf(config, publishing.baseUrl(), publishing.outbound)
  const timeoutMs = config.PROVIDER_TIMEOUT_MS
  return {
    attempt,
    network,
    account: atPlace(openAccount(secrets, connection), attempt.payload.place),
    expiresAt: connection.expiresAt,
    media: [],
    linkPreview: createOutgoingLink(
      {
        db: database.db,
        config,
        outbound: publishing.outbound,
        stopping,
        withoutSlot: (work) => slot.lend(work, stopping),
        onMissing: (reason) => recordEvent({ attempt, now }, linkImageMissing, reason),
      },
      { brandId: attempt.brandId, linkPreview: attempt.payload.linkPreview },
    ),
    prepared: openProgress(secrets, attempt.postId, prepared),
    outside,
    video: videoOf(publishing, attempt),
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

/** The event of a card that is sent without its image. */
export const linkImageMissing = 'link_image_missing'

const atPlace = (account: Account, place: Outgoing['payload']['place']): Account =>
  place ? { ...account, metadata: { ...account.metadata, ...place } } : account

/** YouTube, for the organization that the brand belongs to now. */
export const videoOf = (
  { database, gateway, identity }: Pick<Publishing, 'gateway' | 'identity'> & { database: Pick<DatabaseHandle, 'db'> },
  { brandId }: Pick<Outgoing, 'brandId'>,
): VideoAccess => ({
  client: gateway.video,
  getPayer: async () => {
    const [applicationId, [brand]] = await Promise.all([
      identity.serviceId('platform-socialize'),
      database.db.select({ organizationId: brands.organizationId }).from(brands).where(eq(brands.id, brandId)),
    ])
    if (!brand) throw new Error('The brand of a post was deleted')
    return { applicationId, organizationId: brand.organizationId }
  },
})

/** Each receipt belongs to one post. */
async function filterUnclaimed(
  db: Database,
  { provider, externalAccount }: Outgoing,
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
