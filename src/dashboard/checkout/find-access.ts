import { and, desc, eq } from 'drizzle-orm'
import type { Entitlement } from '#identity'
import type { Database } from '#lib/db.ts'
import type { JobDependencies } from '#lib/job.ts'
import { freeWorkspaces, platformSubscriptions } from '../schema.ts'
import { CheckoutPackage } from './contract.ts'
import { termsOf } from './entitlement.ts'

export type SubscriptionRecord = typeof platformSubscriptions.$inferSelect

/** What an organization pays for now. */
export interface Access {
  access: 'full' | 'read_only' | 'ended'
  terms: Entitlement
  /** Null for one that only ever had a free workspace. */
  record: SubscriptionRecord | null
}

/** The best access counts, and of that the newest. */
const order = ['full', 'read_only', 'ended', 'none']

export async function listRecords(db: Database, organizationId: string): Promise<SubscriptionRecord[]> {
  const rows = await db
    .select()
    .from(platformSubscriptions)
    .where(and(eq(platformSubscriptions.ownerType, 'organization'), eq(platformSubscriptions.holderId, organizationId)))
    .orderBy(desc(platformSubscriptions.id))
  return rows.toSorted((a, b) => order.indexOf(a.access) - order.indexOf(b.access))
}

/** Null for one that never subscribed. */
export async function findAccess(
  { db, identity }: Pick<JobDependencies, 'identity'> & { db: Database },
  organizationId: string,
): Promise<Access | null> {
  const [record] = await listRecords(db, organizationId)
  if (record?.access === 'full')
    return { access: 'full', record, terms: termsOf(CheckoutPackage.parse(record.package), record.seats) }
  // Members stay, and no one joins.
  const seats = async () => Math.max(1, (await identity.entitlement(organizationId)).seats.used)
  if (record?.access === 'read_only')
    return {
      access: 'read_only',
      record,
      terms: { mode: 'count', paidAppCount: 0, seats: await seats(), standing: 'unpaid' },
    }
  if (await hasFree(db, organizationId)) return { access: 'ended', record: record ?? null, terms: termsOf('free', 1) }
  if (!record) return null
  return { access: 'ended', record, terms: { mode: 'free', seats: await seats(), standing: 'ended' } }
}

async function hasFree(db: Database, organizationId: string): Promise<boolean> {
  const found = await db
    .select({ id: freeWorkspaces.id })
    .from(freeWorkspaces)
    .where(
      and(
        eq(freeWorkspaces.ownerType, 'organization'),
        eq(freeWorkspaces.holderId, organizationId),
        eq(freeWorkspaces.access, 'full'),
      ),
    )
    .limit(1)
  return found.length > 0
}
