import { and, desc, eq, isNull, or, sql, type SQL } from 'drizzle-orm'
import { atLeast, type Actor } from '#lib/actor.ts'
import { recordChange, auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { brokenConstraint, type Database } from '#lib/db.ts'
import { conflict, notFound, retryLater } from '#lib/errors.ts'
import { digest, newId } from '#lib/ids.ts'
import type { TypedJob } from '#lib/job.ts'
import { countWithinQuota } from '#lib/limits.ts'
import { takeBlock } from '#lib/limits/take-block.ts'
import { stream, type Stream } from '#lib/reply.ts'
import { presentedBy } from '#identity'
import { exports } from '../schema.ts'
import { publishExportChange } from './exports.topic.ts'

export type ExportJob = TypedJob<{ id: string; tenantId?: string | undefined }>

export type ExportRow = typeof exports.$inferSelect
type AuthenticatedCall = Call<unknown, Actor>

/** Milliseconds after which an export that isn't ready is canceled. */
const lifetimeMs = 24 * 60 * 60_000

export const exportKey = (id: string): string => `exports/${id}.zip`

/**
 * Without `organizationId` the caller's own data. Returns their running export if there is one. @throws {Problem}
 * 409 while another owner's export runs, 429 past five in 24 hours
 */
export async function requestExport(
  call: AuthenticatedCall,
  organizationId: string | null,
  job: ExportJob,
): Promise<{ row: ExportRow; isNew: boolean }> {
  const { user } = await call.identity.me(presentedBy(call.request))
  const requestedAt = call.now()
  try {
    return await auditedTransaction(call, async (tx) => {
      const [row] = await tx
        .insert(exports)
        .values({
          id: newId(),
          organizationId,
          requestedBy: user.id,
          recipient: user.email,
          state: 'running',
          requestedAt,
          expiresAt: new Date(requestedAt.getTime() + lifetimeMs),
        })
        .returning()
      if (!row) throw new Error('The export was not inserted')
      await countExport(tx, organizationId ?? user.id)
      recordChange(tx, { object: 'export', id: row.id, after: { state: 'running', organizationId }, organizationId })
      await call.queue.enqueue(tx, job, { id: row.id, tenantId: organizationId ?? user.id })
      await publishExportChange(call, tx, user.id)
      return { row, isNew: true }
    })
  } catch (error) {
    if (!brokenConstraint(error)?.startsWith('exports_running')) throw error
    return { row: await ownRunning(call, organizationId), isNew: false }
  }
}

/** Per organization or person, and mails per address, in 24 hours. */
const maxPerDay = 5
const day = 24 * 60 * 60_000

/** @throws {Problem} 429 past five in 24 hours */
async function countExport(tx: Database, tenantId: string): Promise<void> {
  const { taken, remaining } = await takeBlock(tx, { subject: tenantId, limit: 'exports', block: 1, windowMs: day })
  if (taken <= maxPerDay) return
  const seconds = Math.ceil(remaining / 1000)
  throw retryLater(
    429,
    'too_many_exports',
    `You can request at most ${maxPerDay} exports in 24 hours. Try again in ${Math.ceil(seconds / 3600)} h.`,
    { retryAfter: seconds },
  )
}

/** Per address, since a person can own many organizations. */
export const countExportMail = (tx: Database, recipient: string): Promise<boolean> =>
  countWithinQuota(tx, { name: 'exports-to', subject: digest(recipient), max: maxPerDay, windowMs: day })

async function ownRunning({ db, actor }: AuthenticatedCall, organizationId: string | null): Promise<ExportRow> {
  const mine = eq(exports.requestedBy, actor.principal.id)
  const same = organizationId ? eq(exports.organizationId, organizationId) : isNull(exports.organizationId)
  const [row] = await db
    .select()
    .from(exports)
    .where(and(same, mine, eq(exports.state, 'running')))
  if (row) return row
  throw conflict(
    'export_running',
    'Another owner is already exporting this organization. Try again when that export is ready.',
  )
}

/** Newest first; at most 100. */
export async function listExports({ db, actor, identity, request }: AuthenticatedCall) {
  const exportOrganization = ownedOrganization(actor) !== null
  const [items, organization] = await Promise.all([
    db.select().from(exports).where(visibleTo(actor)).orderBy(desc(exports.id)).limit(100),
    exportOrganization ? identity.me(presentedBy(request)).then((me) => me.organization) : null,
  ])
  return {
    items,
    nextCursor: null,
    organizationName: organization?.name ?? null,
    can: { exportOrganization, exportAccount: !actor.onlyIn },
  }
}

/** @throws {Problem} 404 */
export async function findExport({ db, actor }: Pick<AuthenticatedCall, 'db' | 'actor'>, id: string) {
  const [row] = await db
    .select()
    .from(exports)
    .where(and(eq(exports.id, id), visibleTo(actor)))
  if (!row) throw notFound('export')
  return row
}

/** Exports of an organization need its owner in it; a session of the organization's own sign-in sees no other exports. */
function visibleTo(actor: Actor): SQL | undefined {
  const owned = ownedOrganization(actor)
  return and(
    eq(exports.requestedBy, actor.principal.id),
    or(
      actor.onlyIn ? undefined : isNull(exports.organizationId),
      owned ? eq(exports.organizationId, owned) : undefined,
      sql`false`, // An `or` without alternatives would match every row.
    ),
  )
}

const ownedOrganization = ({ organization }: Actor): string | null =>
  organization && atLeast(organization.role, 'owner') ? organization.id : null

/** @throws {Problem} 404 for an export that isn't ready, has expired or belongs to another person */
export async function downloadExport(call: AuthenticatedCall, id: string): Promise<Stream> {
  const row = await findExport(call, id)
  const file = isReady(row, call.now()) ? await call.storage.read(exportKey(id)) : null
  if (!file) throw notFound('file')
  const name = `atrium-${row.organizationId ? 'organization' : 'account'}-${row.requestedAt.toISOString().slice(0, 10)}.zip`
  const body = { ...file, etag: `"${id}"` }
  const headers = { 'Content-Disposition': `attachment; filename="${name}"`, 'Cache-Control': 'private, no-store' }
  return stream(body, 'application/zip', { headers })
}

const isReady = ({ state, expiresAt }: ExportRow, now: Date): boolean => state === 'ready' && expiresAt > now

export async function isDownloadable(db: Database, id: string, now: Date): Promise<boolean> {
  const [row] = await db.select().from(exports).where(eq(exports.id, id))
  return row !== undefined && isReady(row, now)
}

/** False when it was settled or deleted since. */
export async function settleExport(
  { db, events }: Pick<Call, 'db' | 'events'>,
  id: string,
  end: Partial<ExportRow>,
): Promise<boolean> {
  const [row] = await db
    .update(exports)
    .set(end)
    .where(and(eq(exports.id, id), eq(exports.state, 'running')))
    .returning({ requestedBy: exports.requestedBy })
  if (row) await publishExportChange({ events }, db, row.requestedBy)
  return row !== undefined
}
