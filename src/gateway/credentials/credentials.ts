import { and, asc, eq, isNull, or, type SQL } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound, Problem } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { sealContext } from '#lib/secrets/sealed.ts'
import type { Credential, CredentialLevel } from '../contract/credentials.ts'
import { providerCredentials as table } from '../schema.ts'
import { checkBaseUrl } from './base-url.ts'
import type { CredentialInput, CredentialName } from './input.ts'

type Row = typeof table.$inferSelect

export const credentialContext = (id: string): string => sealContext(table.sealedSecret, id)

/** Null for the platform’s level. @throws {Problem} 403 unless a super admin changes that */
function ownerOf(actor: Actor, level: CredentialLevel): string | null {
  if (level === 'organization') return organizationOf(actor, 'provider_credentials:manage')
  if (actor.isSuperAdmin) return null
  throw new Problem(403, 'permission_missing', 'Only super admins of the platform can change its defaults.', {
    members: { permission: 'super-admin' },
  })
}

const ofOwner = (organizationId: string | null): SQL | undefined =>
  organizationId === null ? isNull(table.organizationId) : eq(table.organizationId, organizationId)

const named = (actor: Actor, { provider, level, mode }: CredentialName): SQL | undefined =>
  and(ofOwner(ownerOf(actor, level)), eq(table.provider, provider), eq(table.mode, mode))

/** Those of the organization; super admins also get the platform’s. */
export async function listCredentials(db: Database, actor: Actor): Promise<Credential[]> {
  const own = eq(table.organizationId, organizationOf(actor, 'usage:read'))
  const rows = await db
    .select()
    .from(table)
    .where(actor.isSuperAdmin ? or(own, isNull(table.organizationId)) : own)
    .orderBy(asc(table.provider), asc(table.id))
  return rows.map(describe)
}

export async function getCredential(db: Database, actor: Actor, name: CredentialName): Promise<Row> {
  const [row] = await db.select().from(table).where(named(actor, name))
  if (!row) throw notFound('credential')
  return row
}

export async function putCredential(
  { db, actor, outbound, secrets, now }: Pick<Call<unknown, Actor>, 'db' | 'actor' | 'outbound' | 'secrets' | 'now'>,
  input: CredentialInput,
): Promise<Credential> {
  const { provider, level, mode, label, secret } = input
  const organizationId = ownerOf(actor, level)
  const baseUrl = checkBaseUrl(outbound, input)
  const at = now()
  // A new ID each time, since the secret is sealed for it.
  const id = newId()
  const sealedSecret = secrets.seal(JSON.stringify(secret), credentialContext(id))
  const values = { id, label, sealedSecret, lastFour: secret.apiKey.slice(-4), baseUrl, createdBy: actor.principal.id }
  const unchecked = { health: 'unknown', lastError: null, checkedAt: null } as const
  const [row] = await db
    .insert(table)
    .values({ ...values, ...unchecked, organizationId, provider, mode, createdAt: at })
    .onConflictDoUpdate({
      target: [table.organizationId, table.provider, table.mode],
      set: { ...values, ...unchecked, rotatedAt: at },
    })
    .returning()
  if (!row) throw new Error('The credential was not stored')
  return describe(row)
}

export async function deleteCredential(db: Database, actor: Actor, name: CredentialName): Promise<void> {
  const deleted = await db.delete(table).where(named(actor, name)).returning({ id: table.id })
  if (deleted.length === 0) throw notFound('credential')
}

/** The contract leaves the sealed secret out of each response. */
const describe = (row: Row): Credential => ({
  ...row,
  level: row.organizationId === null ? 'platform' : 'organization',
  kind: 'api_key',
  status: 'active',
})
