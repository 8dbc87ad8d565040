import { jwt } from '@elysiajs/jwt'
import { desc, eq, lte, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { transact, type Database } from '#lib/db.ts'
import { Id, newId } from '#lib/ids.ts'
import type { Secrets } from '#lib/secrets.ts'
import type { Clock } from '#lib/time.ts'
import { signingKeys } from '../schema.ts'

/** `db` is never a transaction: rolling back a key would invalidate tokens that it has signed. */
export interface KeyStore {
  db: Database
  secrets: Secrets
  now: Clock
}

type Claims = Record<string, string | number | boolean | null>

/** Of tokens that the platform accepts, and of those that only other apps do (DSH-12). */
type TokenKind = 'JWT' | 'widget+jwt'

const createSigner = (secret: CryptoKey, kid: string, typ: TokenKind = 'JWT') =>
  jwt({ name: 'jwt', secret, alg: 'EdDSA', kid, typ }).decorator.jwt
type Signer = ReturnType<typeof createSigner>
type Signers = Record<TokenKind, Signer>

interface KeyCache {
  /** Milliseconds of the clock at which the cache is dropped. */
  until: number
  current?: Promise<Signers>
  verifiers: Map<string, Promise<Verifier | undefined>>
  /** By the header of verified tokens: all tokens of one key have the same header. */
  known: Map<string, CryptoKey>
}
const caches = new WeakMap<Secrets, KeyCache>()

/** The longest time that a removed key is still accepted. */
const cacheTtlMs = 5_000

function cacheOf({ secrets, now }: Pick<KeyStore, 'secrets' | 'now'>): KeyCache {
  const at = now().getTime()
  const held = caches.get(secrets)
  if (held && held.until > at) return held
  const cache: KeyCache = { until: at + cacheTtlMs, verifiers: new Map(), known: new Map() }
  caches.set(secrets, cache)
  return cache
}

const issuer = 'platform-identity'

/** `lifetime` is in seconds. */
export async function sign(store: KeyStore, claims: Claims, lifetime: number, typ: TokenKind = 'JWT'): Promise<string> {
  const cache = cacheOf(store)
  const now = store.now().getTime()
  cache.current ??= currentKey(store)
  const signers = await cache.current.catch((error: unknown) => {
    cache.current = undefined
    throw error
  })
  return signers[typ].sign({ iss: issuer, ...claims, exp: Math.floor(now / 1000) + lifetime, jti: newId() })
}

interface Verifier {
  key: CryptoKey
  reader: Signer
}

const headerOf = (token: string): string => token.slice(0, token.indexOf('.'))

/** Within the last 5 s. */
export const hasKnownKey = (store: Pick<KeyStore, 'secrets' | 'now'>, token: string): boolean =>
  cacheOf(store).known.has(headerOf(token))

/** Undefined unless identity signed the token and it had not expired at `at`. */
export async function verify(
  store: KeyStore,
  token: string,
  at: Date = store.now(),
): Promise<Record<string, unknown> | undefined> {
  const header = headerOf(token)
  const { known } = cacheOf(store)
  const key = known.get(header)
  if (key) return verifySignature(at, key, token)
  const verifier = await verifierOf(store, keyIdOf(header))
  const options = { algorithms: ['EdDSA'], issuer, typ: 'JWT', currentDate: at }
  const claims = (await verifier?.reader.verify(token, options)) ?? false
  if (claims === false || !verifier) return undefined
  // Only headers of valid tokens are stored, so that callers can't fill the memory.
  known.set(header, verifier.key)
  return claims
}

/** Checked by hand, since it runs for each new token. */
const isOurs = (claims: unknown): claims is Record<string, unknown> & { exp: number } =>
  typeof claims === 'object' &&
  claims !== null &&
  'iss' in claims &&
  claims.iss === issuer &&
  'exp' in claims &&
  typeof claims.exp === 'number'

/**
 * `verify` for a known header. `jose` takes half as long again, which would miss the bound of `bun run bench`.
 * Known headers are dropped with the cache, so a removed key is too.
 */
async function verifySignature(at: Date, key: CryptoKey, token: string) {
  const end = token.lastIndexOf('.')
  const signature = Buffer.from(token.slice(end + 1), 'base64url')
  if (!(await crypto.subtle.verify('Ed25519', key, signature, Buffer.from(token.slice(0, end))))) return undefined
  const text = Buffer.from(token.slice(token.indexOf('.') + 1, end), 'base64url').toString()
  const claims: unknown = JSON.parse(text)
  return isOurs(claims) && claims.exp * 1000 > at.getTime() ? claims : undefined
}

/** The public keys that verify identity's tokens (RFC 7517). */
export async function findPublicKeys(db: Database) {
  const rows = await db
    .select({ kid: signingKeys.id, x: signingKeys.publicKey })
    .from(signingKeys)
    .orderBy(desc(signingKeys.createdAt))
  return { keys: rows.map((row) => ({ ...publicJwk, alg: 'EdDSA' as const, use: 'sig' as const, ...row })) }
}

const publicJwk = { kty: 'OKP', crv: 'Ed25519' } as const
const Header = z.object({ alg: z.literal('EdDSA'), kid: Id })

function keyIdOf(header: string): string | undefined {
  try {
    return Header.parse(JSON.parse(Buffer.from(header, 'base64url').toString())).kid
  } catch {
    return undefined
  }
}

/** Creates the first one. With a clock that is behind all keys, the oldest one signs. */
async function currentKey(store: KeyStore): Promise<Signers> {
  const row = (await findCurrent(store)) ?? (await createFirstKey(store))
  const pkcs8 = Buffer.from(store.secrets.open(row.sealedPrivateKey, sealContext(row.id)), 'base64')
  const key = await crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', false, ['sign'])
  return { JWT: createSigner(key, row.id), 'widget+jwt': createSigner(key, row.id, 'widget+jwt') }
}

const findCurrent = async ({ db, now }: Pick<KeyStore, 'db' | 'now'>) =>
  (
    await db
      .select()
      .from(signingKeys)
      .where(lte(signingKeys.signsFrom, now()))
      .orderBy(desc(signingKeys.signsFrom), desc(signingKeys.id))
      .limit(1)
  )[0]

const findOldest = async ({ db }: Pick<KeyStore, 'db'>) =>
  (await db.select().from(signingKeys).orderBy(signingKeys.signsFrom, signingKeys.id).limit(1))[0]

/** When several servers do this at the same time, one of them inserts the key. */
async function createFirstKey(store: KeyStore) {
  await insertKey(store, store.now(), sql`NOT EXISTS (SELECT FROM ${signingKeys})`)
  const row = (await findCurrent(store)) ?? (await findOldest(store))
  if (!row) throw new Error('The signing key was deleted while it was being created')
  return row
}

const day = 24 * 60 * 60 * 1000
/** Milliseconds that a key signs, is published before it signs, and is kept for its tokens. */
const signingMs = 30 * day
const publishAheadMs = day
const retentionMs = 60 * 60_000

/** A day before it signs, so that clients that cache the key list have it. Deletes keys whose tokens have expired. */
export async function rotateSigningKeys(store: KeyStore): Promise<void> {
  const now = store.now().getTime()
  const due = new Date(now + publishAheadMs - signingMs)
  // The first key is created by the first signature: no client has cached a list yet.
  const isDue = sql`(SELECT max(signs_from) FROM ${signingKeys}) <= ${due.toISOString()}::timestamptz`
  await insertKey(store, new Date(now + publishAheadMs), isDue)
  await store.db.delete(signingKeys).where(
    sql`EXISTS (SELECT FROM ${signingKeys} AS later WHERE later.signs_from > ${signingKeys.signsFrom}
      AND later.signs_from < ${new Date(now - retentionMs).toISOString()}::timestamptz)`,
  )
}

/** For when a key has leaked. All servers refuse its tokens within 5 s. Returns how many were removed. */
export async function replaceSigningKeys(store: KeyStore): Promise<number> {
  const key = await createKey(store)
  return transact(store.db, async (tx) => {
    await tx.execute(lockKeys)
    const removed = await tx.delete(signingKeys).returning({ id: signingKeys.id })
    await tx.insert(signingKeys).values({ ...key, signsFrom: key.createdAt })
    return removed.length
  })
}

/** Under a lock, if `condition` holds. */
async function insertKey(store: KeyStore, signsFrom: Date, condition: SQL): Promise<void> {
  const { id, publicKey, sealedPrivateKey, createdAt } = await createKey(store)
  await transact(store.db, async (tx) => {
    await tx.execute(lockKeys)
    await tx.execute(sql`
      INSERT INTO ${signingKeys} (id, public_key, sealed_private_key, created_at, signs_from)
      SELECT ${id}, ${publicKey}, ${sealedPrivateKey}, ${createdAt.toISOString()}::timestamptz,
        ${signsFrom.toISOString()}::timestamptz
      WHERE ${condition}`)
  })
}

const lockKeys = sql`SELECT pg_advisory_xact_lock(hashtext('identity.signing_keys'))`

async function createKey({ secrets, now }: Pick<KeyStore, 'secrets' | 'now'>) {
  const id = newId()
  const { publicKey, privateKey } = await createKeyPair()
  return { id, publicKey, sealedPrivateKey: secrets.seal(privateKey, sealContext(id)), createdAt: now() }
}

async function createKeyPair() {
  const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])
  const { x = '' } = await crypto.subtle.exportKey('jwk', pair.publicKey)
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', pair.privateKey)
  return { publicKey: x, privateKey: Buffer.from(pkcs8).toString('base64') }
}

const sealContext = (id: string): string => `identity.signing_keys:${id}`

async function verifierOf(store: KeyStore, kid: string | undefined): Promise<Verifier | undefined> {
  if (!kid) return undefined
  const { verifiers } = cacheOf(store)
  const known = verifiers.get(kid)
  if (known) return known
  const loading = loadVerifier(store.db, kid)
  verifiers.set(kid, loading)
  const key = await loading.catch(() => undefined)
  // Unknown ids are not cached: callers could fill the memory, and another server may have just created the key.
  if (!key) verifiers.delete(kid)
  return loading
}

async function loadVerifier(db: Database, kid: string): Promise<Verifier | undefined> {
  const [row] = await db.select({ x: signingKeys.publicKey }).from(signingKeys).where(eq(signingKeys.id, kid))
  if (!row) return undefined
  const key = await crypto.subtle.importKey('jwk', { ...publicJwk, x: row.x }, 'Ed25519', false, ['verify'])
  return { key, reader: createSigner(key, kid) }
}
