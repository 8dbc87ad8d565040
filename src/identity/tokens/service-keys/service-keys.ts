import { and, eq, isNull } from 'drizzle-orm'
import { calculateJwkThumbprint } from 'jose'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { brokenConstraint, type Database } from '#lib/db.ts'
import { conflict, notFound } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { byId } from '#lib/paginate.ts'
import { publishRevocation } from '../revocation.ts'
import { serviceKeys, services } from '../../schema.ts'
import type { PublicJwk } from './contract.ts'

interface ServiceKeyInput {
  serviceId: string
  publicKey: PublicJwk
  createdBy: string | null
}

/** @throws as `storeKey` */
export async function registerKey({ db, actor, now, input }: Call<{ id: string; publicKey: PublicJwk }, Actor>) {
  const { id: serviceId, publicKey } = input
  const key = await storeKey(db, { serviceId, publicKey, createdBy: actor.principal.id }, now())
  recordChange(db, { object: 'service_key', id: key.id, after: { serviceId, thumbprint: key.thumbprint } })
  return key
}

/** IDN-40. @throws 404; 409 for a known key and a third-party service */
export async function storeKey(db: Database, { serviceId, publicKey, createdBy }: ServiceKeyInput, now: Date) {
  const [service] = await db.select().from(services).where(eq(services.id, serviceId))
  if (!service) throw notFound('service')
  if (!service.firstParty)
    throw conflict('third_party_service', 'Only first-party services can have keys. Third-party apps use API keys.')
  const thumbprint = await calculateJwkThumbprint(publicKey)
  const [key] = await db
    .insert(serviceKeys)
    .values({ id: newId(), serviceId, publicKey, thumbprint, createdBy, createdAt: now })
    .returning()
    .catch((error: unknown) => {
      throw brokenConstraint(error) === 'service_keys_thumbprint' ? keyKnown() : error
    })
  if (!key) throw new Error('The new key was not stored')
  return key
}

const keyKnown = () => conflict('key_exists', 'This key is already registered. Create a new key pair for each service.')

/** Oldest first, including revoked keys. @throws 404 */
export async function listKeys(db: Database, serviceId: string, page: { limit: number; cursor?: string }) {
  const [service] = await db.select({ id: services.id }).from(services).where(eq(services.id, serviceId))
  if (!service) throw notFound('service')
  const slice = byId(serviceKeys.id).slice(page)
  const rows = await db
    .select()
    .from(serviceKeys)
    .where(and(eq(serviceKeys.serviceId, serviceId), slice.where))
    .orderBy(...slice.order)
    .limit(slice.limit)
  return slice.page(rows)
}

/** With the tokens issued for it, on every server from the next request. @throws 404 */
export async function revokeKey({ db, events, now }: Call, serviceId: string, keyId: string): Promise<void> {
  const [ended] = await db
    .update(serviceKeys)
    .set({ revokedAt: now() })
    .where(and(eq(serviceKeys.id, keyId), eq(serviceKeys.serviceId, serviceId), isNull(serviceKeys.revokedAt)))
    .returning()
  if (!ended) throw notFound('key')
  recordChange(db, { object: 'service_key', id: keyId })
  await publishRevocation(db, events, serviceId)
}
