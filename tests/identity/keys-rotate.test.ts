import { afterAll, beforeAll, expect, test } from 'bun:test'
import { importPKCS8, SignJWT } from 'jose'
import { rotateKeys } from '../../src/commands/keys-rotate.ts'
import { readConfig } from '#config'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { bearer, json, startIdentity, type IdentityServer } from './server.tsx'

// Replaces the signing keys after one has leaked.

const secretsKey = Buffer.alloc(32, 7).toString('hex')
const password = 'correct horse battery'

let database: TestDatabase
let servers: [IdentityServer, IdentityServer]

beforeAll(async () => {
  database = await freshDatabase()
  servers = await Promise.all([startIdentity(database.url), startIdentity(database.url)])
})

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  await database.drop()
})

const statusAt = async (server: IdentityServer, token: string) =>
  (await server.fetch('GET /validate', undefined, bearer(token))).status

/** A token signed with the stolen private key: the claims of a valid one, for ten years. */
async function forge(server: IdentityServer, good: string): Promise<string> {
  const [row] = await server.database.sql`SELECT id, sealed_private_key FROM identity.signing_keys`
  const id = String(row?.['id'])
  const sealed = String(row?.['sealed_private_key'])
  const pkcs8 = server.secrets.open(sealed, `identity.signing_keys:${id}`)
  const key = await importPKCS8(`-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----`, 'EdDSA')
  const claims = JSON.parse(Buffer.from(good.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>
  const header = JSON.parse(Buffer.from(good.split('.')[0] ?? '', 'base64url').toString()) as { alg: string }
  return new SignJWT({ ...claims, exp: Math.floor(Date.now() / 1000) + 315_360_000 })
    .setProtectedHeader(header)
    .sign(key)
}

test('IDN-03 leaked signing key is rejected by every server within 5 seconds of bun run keys:rotate', async () => {
  const person = { email: 'ada@example.com', password, name: 'Ada', createOrganization: true }
  const { accessToken, refreshToken } = await json(await servers[0].fetch('POST /register', person))
  const forged = await forge(servers[0], accessToken)
  for (const server of servers)
    for (const token of [accessToken, forged]) expect(await statusAt(server, token)).toBe(200)
  const { keys: before } = await json(await servers[0].fetch('GET /.well-known/jwks.json'))
  // The servers keep these tokens for calls between them.
  for (const server of servers) expect(await server.client.isSuspended(crypto.randomUUID())).toBe(false)

  const said: string[] = []
  const config = readConfig({ ATRIUM_ENV: 'test', DATABASE_URL: database.url, SECRETS_KEY: secretsKey })
  await rotateKeys(config, database.url, (line) => void said.push(line))
  expect(said[0]).toBe('Created a new signing key and removed 1 old key.')
  for (const server of servers) server.clock.ahead += 5_001

  for (const server of servers)
    for (const token of [accessToken, forged]) expect(await statusAt(server, token)).toBe(401)
  const { keys: after } = await json(await servers[1].fetch('GET /.well-known/jwks.json'))
  expect(after.length).toBe(1)
  expect(after[0].kid).not.toBe(before[0].kid)

  // People stay signed in, and servers can still call each other.
  const renewed = await json(await servers[1].fetch('POST /api/auth/refresh', { refreshToken }))
  for (const server of servers) expect(await statusAt(server, renewed.accessToken)).toBe(200)
  for (const server of servers) expect(await server.client.isSuspended(crypto.randomUUID())).toBe(false)
})

test('IDN-03 server whose clock is behind signs with the only signing key, even if that key was created in its future', async () => {
  const behind = await startIdentity(database.url)
  const { keys } = await json(await servers[0].fetch('GET /.well-known/jwks.json'))
  expect(keys.length).toBe(1)
  behind.clock.ahead -= 3_600_000
  const person = { email: 'grace@example.com', password, name: 'Grace', createOrganization: true }
  const answer = await behind.fetch('POST /register', person)
  expect(answer.status).toBe(201)
  const [header = ''] = (await json(answer)).accessToken.split('.')
  expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toMatchObject({ kid: keys[0].kid })
  await behind.stop()
})
