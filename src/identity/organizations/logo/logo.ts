import { eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { prepare } from '#lib/images/prepare.ts'
import type { Organization } from '../../contract.ts'
import { organizationLogos, organizations } from '../../schema.ts'
import { publishRevocation } from '../../tokens/revocation.ts'
import { findOwnOrganization, requireActiveOrganization } from '../organizations.ts'
import type { LogoUpload } from './contract.ts'
import { withLogoUrl } from './logo-url.ts'

/** Drawn again from its pixels, and small. @throws {Problem} 404, 422 for other files, 429 and 503 */
export async function setLogo(call: Call<LogoUpload, Actor>): Promise<Organization> {
  const { actor, input, config, now } = call
  requireActiveOrganization(actor, input.id)
  const file = new Uint8Array(await input.file.arrayBuffer())
  const { thumb } = await prepare({ file, organizationId: input.id, waitMs: config.IMAGE_WAIT_MS })
  const logoSha256 = new Bun.CryptoHasher('sha256').update(thumb.data).digest('hex')
  return auditedTransaction(call, async (tx) => {
    const organization = await change({ ...call, db: tx }, logoSha256)
    const row = { organizationId: input.id, image: thumb.data, updatedAt: now() }
    const { image, updatedAt } = row
    await tx
      .insert(organizationLogos)
      .values(row)
      .onConflictDoUpdate({ target: organizationLogos.organizationId, set: { image, updatedAt } })
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

type ChangeCall = Pick<Call<{ id: string }, Actor>, 'db' | 'actor' | 'events' | 'input'>

async function change({ db, actor, events, input: { id } }: ChangeCall, logoSha256: string | null) {
  const { role } = requireActiveOrganization(actor, id)
  const [before] = await db.select().from(organizations).where(eq(organizations.id, id)).for('update')
  const [row] = await db.update(organizations).set({ logoSha256 }).where(eq(organizations.id, id)).returning()
  if (!row) throw notFound('organization')
  recordChange(db, { object: 'organization', id, before, after: row })
  await publishRevocation(db, events, id)
  return withLogoUrl({ ...row, role })
}

interface Logo {
  image: Uint8Array
  sha256: string
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
