import { eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { drawLogo, type Logo, type LogoUpload } from '#lib/images/logo.ts'
import type { Organization } from '../../contract.ts'
import { organizationLogos, organizations } from '../../schema.ts'
import { findOwnOrganization, requireActiveOrganization } from '../organizations.ts'
import { withLogoUrl } from './logo-url.ts'

/** @throws {Problem} 404, 422 for other files, 429 and 503 */
export async function setLogo(call: Call<LogoUpload, Actor>): Promise<Organization> {
  const { actor, input, config, now } = call
  requireActiveOrganization(actor, input.id)
  const { image, sha256 } = await drawLogo({
    file: input.file,
    organizationId: input.id,
    waitMs: config.IMAGE_WAIT_MS,
  })
  return auditedTransaction(call, async (tx) => {
    const organization = await change({ ...call, db: tx }, sha256)
    const changed = { image, updatedAt: now() }
    await tx
      .insert(organizationLogos)
      .values({ organizationId: input.id, ...changed })
      .onConflictDoUpdate({ target: organizationLogos.organizationId, set: changed })
    return organization
  })
}

/** @throws {Problem} 404 */
export async function removeLogo(call: Call<{ id: string }, Actor>): Promise<Organization> {
  // First, since it locks the organization as `setLogo` does.
  const organization = await change(call, null)
  await call.db.delete(organizationLogos).where(eq(organizationLogos.organizationId, call.input.id))
  return organization
}

type ChangeCall = Pick<Call<{ id: string }, Actor>, 'db' | 'actor' | 'input'>

async function change({ db, actor, input: { id } }: ChangeCall, logoSha256: string | null) {
  const { role } = requireActiveOrganization(actor, id)
  const [before] = await db.select().from(organizations).where(eq(organizations.id, id)).for('update')
  const [row] = await db.update(organizations).set({ logoSha256 }).where(eq(organizations.id, id)).returning()
  if (!row) throw notFound('organization')
  recordChange(db, { object: 'organization', id, before, after: row })
  return withLogoUrl({ ...row, role })
}
type ReadCall = Pick<Call<unknown, Actor>, 'db' | 'actor'>

/** For its members, and super admins. @throws {Problem} 404 */
export async function readLogo({ db, actor }: ReadCall, id: string): Promise<Logo> {
  if (!actor.isSuperAdmin) await findOwnOrganization({ db, actor }, id)
  const found = await findLogo(db, id)
  if (!found) throw notFound('logo')
  return found
}

async function findLogo(db: Database, id: string): Promise<Logo | null> {
  const [row] = await db
    .select({ image: organizationLogos.image, sha256: organizations.logoSha256 })
    .from(organizationLogos)
    .innerJoin(organizations, eq(organizations.id, organizationLogos.organizationId))
    .where(eq(organizations.id, id))
  return row?.sha256 ? { image: row.image, sha256: row.sha256 } : null
}
