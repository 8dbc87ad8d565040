import { eq, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import { videoQuota, videoQuotaShares, videoUploads } from '../schema.ts'

const day = 24 * 60 * 60_000

/** With the counters of its own OAuth clients, which have its ID. */
async function removeQuotaOf(db: Database, organizationId: string): Promise<void> {
  await db.delete(videoQuota).where(sql`split_part(${videoQuota.project}, '/', 2) = ${organizationId}`)
  await db.delete(videoQuotaShares).where(eq(videoQuotaShares.organizationId, organizationId))
}

export const videoData: readonly TenantData[] = [
  tenantTable(videoUploads, {
    organization: videoUploads.organizationId,
    person: videoUploads.userId,
    export: [
      ...(['id', 'organizationId', 'applicationId', 'userId', 'project', 'baseUrl', 'contentType', 'length'] as const),
      ...(['received', 'state', 'videoId', 'privacy', 'sentAt', 'createdAt', 'expiresAt'] as const),
    ],
    erasure: { organization: 'delete', person: 'keep' },
    retention: { after: videoUploads.createdAt, ms: 90 * day },
  }),
  tenantTable(videoQuotaShares, {
    organization: videoQuotaShares.organizationId,
    export: ['organizationId', 'project', 'bucket', 'day', 'units'],
    erasure: { organization: ({ database: { db } }, id) => removeQuotaOf(db, id) },
    retention: { after: videoQuotaShares.createdAt, ms: 400 * day },
  }),
]
