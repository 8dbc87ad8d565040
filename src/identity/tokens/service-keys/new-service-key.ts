import { exportJWK, generateKeyPair } from 'jose'
import type { Database } from '#lib/db.ts'
import { requireServiceBySlug } from '../../registry/services.ts'
import { PublicJwk } from './contract.ts'
import { storeKey } from './service-keys.ts'

/** Returns the private key as JWK; it is not stored. @throws 404; as `storeKey` */
export async function generateServiceKey(db: Database, slug: string, now: Date): Promise<string> {
  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const { id } = await requireServiceBySlug(db, slug)
  const publicKey = PublicJwk.parse(await exportJWK(pair.publicKey))
  await storeKey(db, { serviceId: id, publicKey, createdBy: null }, now)
  return JSON.stringify(await exportJWK(pair.privateKey))
}
