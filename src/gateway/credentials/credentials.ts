import { and, asc, eq, isNull, or, type SQL } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { isAllowed, organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, notFound, Problem } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import type { CredentialLevel, StoredCredential } from '../contract/credentials.ts'
import { providerCredentials as table } from '../schema.ts'
import { endCredentialAction } from './actions.ts'
import { checkBaseUrl } from './base-url.ts'
import { isCheckable } from './checks.ts'
import type { CredentialChange, CredentialInput, CredentialName } from './input.ts'
import { kindOf, membersOf } from './kinds.ts'
import { neededCalls } from './proof.ts'
import { credentialContext } from './resolve.ts'

export type CredentialRow = typeof table.$inferSelect
type CredentialCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'identity'>

/** Null for the platform’s level. @throws {Problem} 403 unless a super admin changes that */
export function ownerOf(actor: Actor, level: CredentialLevel): string | null {
  if (level === 'organization') return organizationOf(actor, 'provider_credentials:manage')
  if (actor.isSuperAdmin) return null
  throw new Problem(403, 'permission_missing', 'Only super admins of the platform can change its defaults.', {
    members: { permission: 'super-admin' },
  })
}

const ofOwner = (organizationId: string | null): SQL | undefined =>
  organizationId === null ? isNull(table.organizationId) : eq(table.organizationId, organizationId)

/** With the one that is about to replace it. */
const named = (actor: Actor, { provider, level, mode }: CredentialName): SQL | undefined =>
  and(ofOwner(ownerOf(actor, level)), eq(table.provider, provider), eq(table.mode, mode))

export interface KeyPair {
  active: CredentialRow
  /** Null when no rotation is in progress. */
  incoming: CredentialRow | null
}

/** Those of the organization, then the platform’s. */
export async function listCredentials(
  call: CredentialCall,
): Promise<{ items: StoredCredential[]; can: { update: boolean; updatePlatform: boolean } }> {
  const { db, actor } = call
  const rows = await db
    .select()
    .from(table)
    .where(or(eq(table.organizationId, organizationOf(actor, 'usage:read')), isNull(table.organizationId)))
    .orderBy(asc(table.provider), asc(table.mode), asc(table.id))
  const can = await changeable(call)
  const incoming = rows.filter(({ status }) => status === 'incoming')
  const items = rows
    .filter(({ status }) => status === 'active')
    .map((active) => describe({ active, incoming: incoming.find(isSuccessorOf(active)) ?? null }, can, actor))
  const isPlatform = ({ level }: StoredCredential): boolean => level === 'platform'
  return { items: [...items.filter((item) => !isPlatform(item)), ...items.filter(isPlatform)], can }
}

const isSuccessorOf = (active: CredentialRow) => (row: CredentialRow) =>
  row.organizationId === active.organizationId && row.provider === active.provider && row.mode === active.mode

async function changeable({ actor, identity }: CredentialCall) {
  const serviceId = await identity.serviceId('platform-gateway')
  return {
    update: isAllowed(actor, 'provider_credentials:manage', serviceId),
    updatePlatform: isAllowed(actor, 'super-admin', serviceId),
  }
}

/** @throws {Problem} 404 */
export async function getKeys(db: Database, actor: Actor, name: CredentialName): Promise<KeyPair> {
  const rows = await db.select().from(table).where(named(actor, name))
  const active = rows.find(({ status }) => status === 'active')
  if (!active) throw notFound('credential')
  return { active, incoming: rows.find(({ status }) => status === 'incoming') ?? null }
}

export async function describeCredential(call: CredentialCall, name: CredentialName): Promise<StoredCredential> {
  return describe(await getKeys(call.db, call.actor, name), await changeable(call), call.actor)
}

type Writer = CredentialCall & Pick<Call, 'outbound' | 'config' | 'secrets' | 'now'>

const unchecked = { health: 'unknown', lastError: null, checkedAt: null, accountId: null } as const

/** @throws {Problem} 409 `credential_exists` */
export async function createCredential(call: Writer, input: CredentialInput): Promise<StoredCredential> {
  const { db, actor, now } = call
  const { provider, level, mode } = input
  const organizationId = ownerOf(actor, level)
  const values = sealedValues(call, { ...input, baseUrl: checkBaseUrl(call, input) })
  const inserted = await db
    .insert(table)
    .values({ ...values, ...unchecked, organizationId, provider, mode, createdAt: now() })
    .onConflictDoNothing()
    .returning({ id: table.id })
  if (inserted.length === 0)
    throw conflict('credential_exists', `There is already a credential for ${provider}. Rotate its key instead.`)
  return describeCredential(call, input)
}

/** Replaces the key at once, and ends a rotation. */
export async function putCredential(call: Writer, input: CredentialInput): Promise<StoredCredential> {
  const { db, actor, now } = call
  const { provider, level, mode } = input
  const organizationId = ownerOf(actor, level)
  const values = sealedValues(call, { ...input, baseUrl: checkBaseUrl(call, input) })
  const at = now()
  await db.delete(table).where(and(named(actor, input), eq(table.status, 'incoming')))
  await db
    .insert(table)
    .values({ ...values, ...unchecked, organizationId, provider, mode, createdAt: at })
    .onConflictDoUpdate({
      target: [table.organizationId, table.provider, table.mode, table.status],
      set: { ...values, ...unchecked, rotatedAt: at },
    })
  await endCredentialAction(db, { organizationId, provider, mode })
  return describeCredential(call, input)
}

/** A new ID each time, since the secret is sealed for it. */
export function sealedValues(
  { actor, secrets }: Pick<Call<unknown, Actor>, 'actor' | 'secrets'>,
  { provider, label, secret, baseUrl }: Pick<CredentialInput, 'provider' | 'label' | 'secret'> & { baseUrl: string },
) {
  const id = newId()
  return {
    id,
    label,
    baseUrl,
    sealedSecret: secrets.seal(JSON.stringify(secret), credentialContext(id)),
    lastFour: (secret[membersOf[kindOf(provider).kind].name] ?? '').slice(-4),
    createdBy: actor.principal.id,
  }
}

/** @throws {Problem} 404 */
export async function renameCredential(call: CredentialCall, input: CredentialChange): Promise<StoredCredential> {
  const { db, actor } = call
  const { active } = await getKeys(db, actor, input)
  await db.update(table).set({ label: input.label }).where(eq(table.id, active.id))
  return describeCredential(call, input)
}

/** All that the actor can change, with those that are about to replace them. */
export async function listChangeable(call: CredentialCall): Promise<CredentialRow[]> {
  const { updatePlatform } = await changeable(call)
  const own = ofOwner(organizationOf(call.actor, 'provider_credentials:manage'))
  return call.db
    .select()
    .from(table)
    .where(updatePlatform ? or(own, isNull(table.organizationId)) : own)
    .orderBy(asc(table.id))
}

export async function deleteCredential(db: Database, actor: Actor, name: CredentialName): Promise<void> {
  const [deleted] = await db.delete(table).where(named(actor, name)).returning()
  if (!deleted) throw notFound('credential')
  await endCredentialAction(db, deleted)
}

/** The contract leaves the sealed secret out of each response. */
function describe(
  { active, incoming }: KeyPair,
  can: { update: boolean; updatePlatform: boolean },
  { isSuperAdmin }: Actor,
): StoredCredential {
  const isPlatform = active.organizationId === null
  // Where the platform’s keys are used, and what its providers say, is its own business.
  const isHidden = isPlatform && !isSuperAdmin
  const { family, kind } = kindOf(active.provider)
  return {
    ...active,
    level: isPlatform ? 'platform' : 'organization',
    family,
    kind,
    isCheckable: isCheckable(active.provider),
    status: incoming ? 'rotating' : 'active',
    baseUrl: isHidden ? null : active.baseUrl,
    lastError: isHidden ? null : active.lastError,
    rotation: incoming && !isHidden ? describeRotation(incoming) : null,
    can: { update: isPlatform ? can.updatePlatform : can.update },
  }
}

const describeRotation = ({ rotationEndsAt, provedCalls, createdAt, ...row }: CredentialRow) => ({
  ...row,
  startedAt: createdAt,
  calls: provedCalls,
  neededCalls,
  endsAt: rotationEndsAt ?? createdAt,
})
