import { eq, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { sealContext } from '#lib/secrets/sealed.ts'
import type { Secrets } from '#lib/secrets.ts'
import type { Network } from '../../networks/network.ts'
import { preparations } from '../../schema.ts'
import type { Outgoing } from '../attempt.ts'

/**
 * How long media wait for a network without progress (SOC-25), how long what is ready can be published, and how long it is
 * whatever its upload took, so that a slow one isn’t repeated without end.
 */
const limits = { waiting: '1 hour', ready: '12 hours', justReady: '5 minutes' }

export interface SavedPreparation {
  sealedProgress: string
  isReady: boolean
  startedAt: Date
  /** Whether it is too old to continue or to publish. */
  isLate: boolean
}

interface Prepared {
  postId: string
  connectionId: string
  payloadHash: string
}

/** Of this content through this connection: an edited post has none, nor one whose upload has ended at the network. */
export async function findPreparation(
  tx: Database,
  { postId, connectionId, payloadHash }: Prepared,
  { uploadsLastMs }: Pick<Network, 'uploadsLastMs'> = {},
): Promise<SavedPreparation | null> {
  const limit = sql`case when ${preparations.isReady} then ${limits.ready}::interval else ${limits.waiting}::interval end`
  const [row] = await tx
    .select({
      connectionId: preparations.connectionId,
      payloadHash: preparations.payloadHash,
      sealedProgress: preparations.sealedProgress,
      isReady: preparations.isReady,
      startedAt: preparations.startedAt,
      isLate: sql<boolean>`${preparations.progressedAt} < clock_timestamp() - ${limit}`,
      hasEnded: uploadsLastMs
        ? sql<boolean>`${preparations.startedAt} < clock_timestamp() - ${uploadsLastMs} * interval '1 millisecond'
            and ${preparations.progressedAt} < clock_timestamp() - ${limits.justReady}::interval`
        : sql<boolean>`false`,
    })
    .from(preparations)
    .where(eq(preparations.id, postId))
  return row?.connectionId === connectionId && row.payloadHash === payloadHash && !row.hasEnded ? row : null
}

const contextOf = (postId: string): string => sealContext(preparations.sealedProgress, postId)

export const openProgress = (secrets: Secrets, postId: string, sealed: string | null): unknown =>
  sealed === null ? null : JSON.parse(secrets.open(sealed, contextOf(postId)))

interface Progress {
  secrets: Secrets
  connectionId: string
  progress: unknown
  isReady: boolean
}

export async function savePreparation(
  tx: Database,
  { postId, brandId, payloadHash, startedAt }: Outgoing,
  { secrets, connectionId, progress, isReady }: Progress,
): Promise<void> {
  const sealedProgress = secrets.seal(JSON.stringify(progress), contextOf(postId))
  const row = { connectionId, payloadHash, sealedProgress, isReady, startedAt, progressedAt: sql`clock_timestamp()` }
  await tx
    .insert(preparations)
    .values({ id: postId, brandId, ...row })
    .onConflictDoUpdate({ target: preparations.id, set: row })
}

export const deletePreparation = async (tx: Database, postId: string): Promise<void> =>
  void (await tx.delete(preparations).where(eq(preparations.id, postId)))
