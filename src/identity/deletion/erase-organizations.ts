import { and, eq, inArray, isNotNull, or } from 'drizzle-orm'
import { recordChange, auditedJobTransaction } from '#lib/audit.ts'
import { eraseOrganizationValues } from '#lib/audit/erase-values.ts'
import type { Provided } from '#lib/call.ts'
import type { Database, DatabaseHandle } from '#lib/db.ts'
import { forEachSettled } from '#lib/each.ts'
import { publicUrlOfJob } from '#lib/public-url.ts'
import { deleteRows } from '#lib/tenant-data/erase.ts'
import { ownData } from '#lib/tenant-data/own.ts'
import type { Clock } from '#lib/time.ts'
import { organizationDeletionLetter } from '#views/emails/deletion.tsx'
import { adminOrganization } from '../contract/fields.ts'
import { ownersOf } from '../organizations/owners.ts'
import { publishRevocation, publishRevocationForAll } from '../tokens/revocation.ts'
import {
  apiKeys,
  developerApps,
  erasedOrganizations,
  membershipResources,
  memberships,
  organizations,
  services,
  suspensions,
  users,
} from '../schema.ts'
import { identityData } from '../tenant-data/index.ts'
import { inRandomOrder, isDue, isErasedBy } from './due.ts'

export type ErasureContext = Pick<Provided, 'config' | 'events' | 'keepers' | 'mail' | 'queue'> & {
  readonly database: DatabaseHandle
  readonly now: Clock
}

const batchSize = 100
const operation = 'identity.erase-deleted'

/** Once every service with their data has erased it. */
export async function eraseDueOrganizations(work: ErasureContext): Promise<void> {
  const { db } = work.database
  const rows = await db
    .select({ id: suspensions.organizationId })
    .from(suspensions)
    .where(and(isDue(work.now()), isErasedBy(db, work.keepers)))
    .orderBy(inRandomOrder)
    .limit(batchSize)
  await forEachSettled(rows, ({ id }) => eraseOrganization(work, id))
}

/** A second server at the same time finds nothing to do. */
async function eraseOrganization({ database, now, events, mail, config }: ErasureContext, id: string): Promise<void> {
  // There can be millions of rows. They are deleted before the transaction, so that a retry continues.
  await deleteRows(database.db, ownData, 'organization', id)
  await eraseOrganizationValues({ database }, id)
  await auditedJobTransaction(database, { operation, now }, async (tx) => {
    const [organization] = await tx
      .select({ id: organizations.id })
      .from(organizations)
      .where(eq(organizations.id, id))
      .for('update', { skipLocked: true })
    const [due] = await tx
      .select({ id: suspensions.id })
      .from(suspensions)
      .where(and(eq(suspensions.organizationId, id), isDue(now())))
    if (!organization || !due) return
    const owners = await ownersOf(tx, id)
    const agents = await agentsOf(tx, id)
    await eraseApps(tx, id)
    await deleteRows(tx, ownData, 'organization', id)
    await deleteRows(tx, identityData, 'organization', id)
    await tx.insert(erasedOrganizations).values({ organizationId: id, erasedAt: now() }).onConflictDoNothing()
    if (agents.length > 0) await tx.delete(users).where(inArray(users.id, agents))
    await auditErasure(tx, id)
    await publishRevocation(tx, events, id)
    const href = publicUrlOfJob('/', config)
    for (const { email, organization: name } of owners)
      await mail.send(tx, email, organizationDeletionLetter({ organization: name, href, happened: 'done' }), now())
    // The organization's apps are no longer in the registry.
    await publishRevocationForAll(tx, events)
  })
}

/** Also deleted ones. */
async function agentsOf(tx: Database, organizationId: string): Promise<string[]> {
  const members = tx
    .select({ id: memberships.userId })
    .from(memberships)
    .where(eq(memberships.organizationId, organizationId))
  const workers = tx
    .select({ id: apiKeys.agentId })
    .from(apiKeys)
    .where(and(eq(apiKeys.organizationId, organizationId), isNotNull(apiKeys.agentId)))
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.principalType, 'agent'), or(inArray(users.id, members), inArray(users.id, workers))))
  return rows.map(({ id }) => id)
}

async function eraseApps(tx: Database, organizationId: string): Promise<void> {
  const apps = await tx
    .delete(developerApps)
    .where(eq(developerApps.organizationId, organizationId))
    .returning({ serviceId: developerApps.serviceId })
  const entries = apps.flatMap(({ serviceId }) => serviceId ?? [])
  if (entries.length === 0) return
  for (const table of [membershipResources, apiKeys]) await tx.delete(table).where(inArray(table.serviceId, entries))
  await tx.delete(services).where(inArray(services.id, entries))
}

/** Recorded in the organization's own log, which is kept, and in that of the super admins. */
async function auditErasure(tx: Database, id: string): Promise<void> {
  const [admins] = await tx
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.slug, adminOrganization))
  const change = { object: 'organization', id, before: { state: 'deleting' }, after: { state: 'erased' } }
  recordChange(tx, { ...change, organizationId: id })
  if (admins) recordChange(tx, { ...change, organizationId: admins.id })
}
