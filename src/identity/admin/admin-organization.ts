import { eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { adminOrganization } from '../contract/fields.ts'
import { organizations } from '../schema.ts'

/** Null before the first super admin signs up. */
export async function adminOrganizationId(db: Database): Promise<string | null> {
  const [row] = await db
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.slug, adminOrganization))
  return row?.id ?? null
}
