import { jwt } from '@elysiajs/jwt'
import { desc, eq, isNull } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { Id, newId } from '#lib/ids.ts'
import type { Secrets } from '#lib/secrets.ts'
import type { Clock } from '#lib/time.ts'
import { signingKeys } from './schema.ts'

/** What the keys need. `db` is never a transaction: a key that was rolled back would have signed for nothing. */
export interface KeyStore {
  db: Database
  secrets: Secrets
  now: Clock
}

type Claims = Record<string, string | number | null>

const instance = (secret: CryptoKey, kid: string) => jwt({ name: 'jwt', secret, alg: 'EdDSA', kid }).decorator.jwt
type Instance = ReturnType<typeof instance>

/** A process's keys in memory: it has one set of secrets. */
interface Ring {
  current?: Promise<Instance>
  verifiers: Map<string, Promise<Instance | undefined>>
  /** The keys by the headers of good tokens, which are the same for all of one key: read once. */
  known: Map<string, Instance>
}
const rings = new WeakMap<Secrets, Ring>()

function ringOf(secrets: Secrets): Ring {
  const ring = rings.get(secrets) ?? {
    verifiers: new Map<string, Promise<Instance | undefined>>(),
    known: new Map<string, Instance>(),
  }
  rings.set(secrets, ring)
  return ring
}

const issuer = 'platform-identity'

/** Signs a token with the current key; `lifetime` in seconds. */
export async function sign(store: KeyStore, claims: Claims, lifetime: number): Promise<string> {
  const ring = ringOf(store.secrets)
  ring.current ??= currentKey(store)
  const key = await ring.current.catch((error: unknown) => {
    ring.current = undefined
    throw error
  })
  const exp = Math.floor(store.now().getTime() / 1000) + lifetime
  return key.sign({ iss: issuer, ...claims, exp, jti: newId() })
}

/** The claims of a token that one of identity's keys signed and that has not expired; else undefined. */
export async function verify(store: KeyStore, token: string): Promise<Record<string, unknown> | undefined> {
  const header = token.slice(0, token.indexOf('.'))
  const { known } = ringOf(store.secrets)
  const key = known.get(header) ?? (await verifier(store, keyIdOf(header)))
  if (!key) return undefined
  const claims = await key.verify(token, { algorithms: ['EdDSA'], issuer, currentDate: store.now() })
  if (claims === false) return undefined
  // Only of a good token: strangers could fill the memory.
  known.set(header, key)
  return claims
}

/** The public keys by which anyone may verify a token (RFC 7517). */
export async function publicKeys(db: Database) {
  const rows = await db
    .select({ kid: signingKeys.id, x: signingKeys.publicKey })
    .from(signingKeys)
    .orderBy(desc(signingKeys.createdAt))
  return { keys: rows.map((row) => ({ ...publicForm, alg: 'EdDSA' as const, use: 'sig' as const, ...row })) }
}

const publicForm = { kty: 'OKP', crv: 'Ed25519' } as const
const Header = z.object({ alg: z.literal('EdDSA'), kid: Id })

function keyIdOf(header: string): string | undefined {
  try {
    return Header.parse(JSON.parse(Buffer.from(header, 'base64url').toString())).kid
  } catch {
    return undefined
  }
}

/** The current key, made when there is none: of servers that make one at once, the first insert wins. */
async function currentKey(store: KeyStore): Promise<Instance> {
  const row = (await findCurrent(store.db)) ?? (await makeKey(store)) ?? (await findCurrent(store.db))
  if (!row) throw new Error('The signing key vanished while it was made')
  const pkcs8 = Buffer.from(store.secrets.open(row.sealedPrivateKey, sealContext(row.id)), 'base64')
  return instance(await crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', false, ['sign']), row.id)
}

const findCurrent = async (db: Database) =>
  (await db.select().from(signingKeys).where(isNull(signingKeys.retiredAt)))[0]

async function makeKey({ db, secrets, now }: KeyStore) {
  const id = newId()
  const { publicKey, privateKey } = await keyPair()
  const made = { id, publicKey, sealedPrivateKey: secrets.seal(privateKey, sealContext(id)), createdAt: now() }
  const [row] = await db.insert(signingKeys).values(made).onConflictDoNothing().returning()
  return row
}

async function keyPair() {
  const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])
  const { x = '' } = await crypto.subtle.exportKey('jwk', pair.publicKey)
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', pair.privateKey)
  return { publicKey: x, privateKey: Buffer.from(pkcs8).toString('base64') }
}

const sealContext = (id: string): string => `identity.signing_keys:${id}`

async function verifier({ db, secrets }: KeyStore, kid: string | undefined): Promise<Instance | undefined> {
  if (!kid) return undefined
  const { verifiers } = ringOf(secrets)
  const known = verifiers.get(kid)
  if (known) return known
  const loading = loadVerifier(db, kid)
  verifiers.set(kid, loading)
  const key = await loading.catch(() => undefined)
  // An unknown id is forgotten: strangers could fill the memory, and the key may be another server's newest.
  if (!key) verifiers.delete(kid)
  return loading
}

async function loadVerifier(db: Database, kid: string): Promise<Instance | undefined> {
  const [row] = await db.select({ x: signingKeys.publicKey }).from(signingKeys).where(eq(signingKeys.id, kid))
  if (!row) return undefined
  const key = await crypto.subtle.importKey('jwk', { ...publicForm, x: row.x }, 'Ed25519', false, ['verify'])
  return instance(key, kid)
}
