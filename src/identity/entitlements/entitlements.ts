import { eq, sql } from 'drizzle-orm'
import { audited } from '#lib/audit.ts'
import type { Database } from '#lib/db.ts'
import { organizations } from '../schema.ts'
import type { Entitlement } from './contract.ts'

/** Keeps what an organization has paid for, in place of what was kept before: `settings.appEntitlement`. */
export async function keepEntitlement(db: Database, organizationId: string, entitlement: Entitlement): Promise<void> {
  const appEntitlement = sql`jsonb_build_object('appEntitlement', ${JSON.stringify(entitlement)}::text::jsonb)`
  await db
    .update(organizations)
    .set({ settings: sql`${organizations.settings} || ${appEntitlement}` })
    .where(eq(organizations.id, organizationId))
  audited(db, { object: 'entitlement', id: organizationId, after: entitlement, organizationId })
}
