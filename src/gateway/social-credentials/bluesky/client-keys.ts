import { desc, eq, sql } from 'drizzle-orm'
import { exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { newId, randomToken } from '#lib/ids.ts'
import { sealContext } from '#lib/secrets/sealed.ts'
import type { ClientKey } from '../../contract/bluesky.ts'
import { socialClientKeys } from '../../schema.ts'

const alg = 'ES256'
const assertionSeconds = 60

type Row = typeof socialClientKeys.$inferSelect

const contextOf = (id: string): string => sealContext(socialClientKeys.sealedKey, id)

/** All of them: servers end sessions whose key is no longer in our document. */
export async function listPublicKeys(call: Call): Promise<ClientKey[]> {
  const rows = await listKeys(call)
  return (rows.length > 0 ? rows : [await createKey(call)]).map(toPublic)
}

/** For new sessions. */
export async function currentKeyId(call: Call): Promise<string> {
  const [newest] = await listKeys(call)
  return (newest ?? (await createKey(call))).id
}

const listKeys = ({ db }: Pick<Call, 'db'>): Promise<Row[]> =>
  db.select().from(socialClientKeys).orderBy(desc(socialClientKeys.createdAt), desc(socialClientKeys.id))

const toPublic = ({ id, publicX: x, publicY: y }: Row): ClientKey => ({
  kty: 'EC',
  crv: 'P-256',
  x,
  y,
  kid: id,
  use: 'sig',
  alg,
})

/** One at a time: the document is public, and each key stays in it. */
async function createKey(call: Call): Promise<Row> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true })
  const jwk = await exportJWK(privateKey)
  const id = newId()
  const sealedKey = call.secrets.seal(JSON.stringify(jwk), contextOf(id))
  return auditedTransaction(call, async (db) => {
    await db.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended('bluesky client key', 0))`)
    const [existing] = await listKeys({ db })
    if (existing) return existing
    const values = { id, publicX: jwk.x ?? '', publicY: jwk.y ?? '', sealedKey }
    const [row] = await db.insert(socialClientKeys).values(values).returning()
    if (!row) throw new Error('A client key was not stored')
    recordChange(db, { object: 'social_client_key', id, after: { id, provider: 'bluesky' } })
    return row
  })
}

/** Authenticates our client at a server (RFC 7523). Null when there is no such key. */
export async function createAssertion(
  { db, secrets }: Pick<Call, 'db' | 'secrets'>,
  { keyId, clientId, issuer }: { keyId: string; clientId: string; issuer: string },
): Promise<string | null> {
  const [row] = await db.select().from(socialClientKeys).where(eq(socialClientKeys.id, keyId))
  if (!row) return null
  return new SignJWT({ jti: randomToken(16) })
    .setProtectedHeader({ alg, kid: keyId })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(issuer)
    .setIssuedAt()
    .setExpirationTime(`${assertionSeconds}s`)
    .sign(await importJWK(JSON.parse(secrets.open(row.sealedKey, contextOf(keyId))), alg))
}
