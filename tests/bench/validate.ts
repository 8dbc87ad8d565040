import { z } from 'zod'
import { signAccessToken } from '../../src/identity/tokens/tokens.ts'
import { bearer, startIdentity } from '../identity/server.tsx'
import { freshDatabase } from '../support/database.ts'

// Measures how many credentials identity validates per second in its process (IDN-05): warm ones from the cache and
// cold ones, tokens that were not used before, compared to a bare verification of the same Ed25519 signatures. Then
// with the revocation channel cut, when nothing is cached and each validation queries the database.

const [rounds, inFlight] = [7, 16]
const calls = { warm: 100_000, cold: 3_000, verified: 3_000 }
const bounds = { warm: 20_000, cold: 0.8 }

const database = await freshDatabase()
const server = await startIdentity(database.url)
const { userId, sessionId, organizationId, token, key } = await prepare()
const grant = { userId, sessionId, organizationId }
const store = { db: server.database.db, secrets: server.secrets, now: () => new Date() }
const publicKey = await signingKey()

const validate = (text: string) => server.client.validate(bearer(text))
const measured = { token: [] as number[], key: [] as number[], cold: [] as number[], bare: [] as number[] }
for (let round = 0; round <= rounds; round++) {
  const [fresh, same] = [await mint(calls.cold), await mint(calls.cold)]
  const result = {
    token: await perSecond(repeat(token, calls.warm), validate),
    key: await perSecond(repeat(key, calls.warm), validate),
    bare: await perSecond(same, verify),
    cold: await perSecond(fresh, validate),
  }
  // The first round is a warm-up.
  if (round > 0) for (const name of ['token', 'key', 'cold', 'bare'] as const) measured[name].push(result[name])
}
const ratio = median(measured.cold.map((cold, at) => cold / (measured.bare[at] ?? Infinity)))
console.log(`warm access token: ${median(measured.token).toFixed(0)}/s (at least ${bounds.warm})`)
console.log(`warm API key: ${median(measured.key).toFixed(0)}/s (at least ${bounds.warm})`)
console.log(
  `cold access token: ${median(measured.cold).toFixed(0)}/s, ${ratio.toFixed(2)} of ${median(measured.bare).toFixed(0)}/s bare verifications (at least ${bounds.cold})`,
)

await server.events.close()
await Bun.sleep(2_600)
const requested = await perSecond(repeat(token, calls.verified), validate)
console.log(
  `with the channel of revocations cut: ${requested.toFixed(0)}/s, ${(requested / median(measured.token)).toFixed(3)} of warm`,
)

await server.database.close()
await database.drop()
const met = Math.min(median(measured.token), median(measured.key)) >= bounds.warm && ratio >= bounds.cold
process.exit(met ? 0 : 1)

/** Operations per second by callers that each wait for their result. */
async function perSecond(texts: string[], act: (text: string) => Promise<unknown>): Promise<number> {
  const started = performance.now()
  let next = 0
  const caller = async () => {
    for (let text = texts[next++]; text !== undefined; text = texts[next++]) await act(text)
  }
  await Promise.all(Array.from({ length: inFlight }, caller))
  return texts.length / ((performance.now() - started) / 1000)
}

async function verify(text: string): Promise<void> {
  const end = text.lastIndexOf('.')
  const signature = Buffer.from(text.slice(end + 1), 'base64url')
  if (!(await crypto.subtle.verify('Ed25519', publicKey, signature, Buffer.from(text.slice(0, end)))))
    throw new Error('A good signature was refused')
}

/** Creates `count` different tokens of the session. */
function mint(count: number): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, () => signAccessToken(store, grant)))
}

function repeat(text: string, times: number): string[] {
  return Array.from({ length: times }, () => text)
}

function median(numbers: number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0
}

async function signingKey(): Promise<CryptoKey> {
  const Keys = z.object({ keys: z.array(z.object({ kty: z.string(), crv: z.string(), x: z.string() })) })
  const { keys } = Keys.parse(await (await server.fetch('GET /.well-known/jwks.json')).json())
  const { kty, crv, x } = keys[0] ?? {}
  return crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', false, ['verify'])
}

async function prepare() {
  const SignedUp = z.object({ accessToken: z.string(), user: z.object({ id: z.string() }) })
  const person = { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada', createOrganization: true }
  const made = SignedUp.parse(await (await server.fetch('POST /register', person)).json())
  const headers = bearer(made.accessToken)
  const Known = z.object({ sessionId: z.string(), organization: z.object({ id: z.string() }) })
  const known = Known.parse(await (await server.fetch('GET /validate', undefined, headers)).json())
  const draft = { name: 'CI', service: 'platform-socialize', scopes: ['posts.read', 'posts.write'] }
  const answer = await server.fetch('POST /api/api-keys', draft, headers)
  return {
    userId: made.user.id,
    sessionId: known.sessionId,
    organizationId: known.organization.id,
    token: made.accessToken,
    key: z.object({ key: z.string() }).parse(await answer.json()).key,
  }
}
