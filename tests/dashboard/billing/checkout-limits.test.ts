import { afterAll, beforeAll, expect, test } from 'bun:test'
import postgres from 'postgres'
import { freshDatabase, type TestDatabase } from '../../support/database.ts'
import { serveInProcess, type Server } from '../../support/serve-in-process.ts'

let database: TestDatabase
let server: Server
let sql: postgres.Sql

beforeAll(async () => {
  database = await freshDatabase()
  server = await serveInProcess({ databaseUrl: database.url, env: { TRUSTED_PROXIES: '1' } })
  sql = postgres(database.url, { max: 1 })
})
afterAll(async () => {
  await sql.end()
  await server.stop()
  await database.drop()
})

const send = (path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

const begin = (email: string, address: string, headers: Record<string, string> = {}) =>
  send(
    '/api/checkout',
    { package: 'three', seats: 1, email, organizationName: 'Corner Bakery' },
    { 'x-forwarded-for': address, ...headers },
  )

test('DSH-30 stranger who begins many checkouts with an address blocks neither other networks nor its signed-in owner', async () => {
  const person = { email: 'owen@example.com', password: 'correct horse battery', name: 'Owen' }
  const signedUp = await send('/register', person)
  expect(signedUp.status).toBe(201)
  const { accessToken }: { accessToken: string } = await signedUp.json()
  const authorization = `Bearer ${accessToken}`
  for (let count = 0; count < 20; count++) expect((await begin(person.email, '192.0.2.1')).status).toBe(201)
  const refused = await begin(person.email, '192.0.2.1')
  expect([refused.status, (await refused.json()).code]).toEqual([429, 'too_many_checkouts'])
  expect((await begin(person.email, '192.0.2.2')).status).toBe(201)
  // Anyone can sign up with an address that isn’t verified.
  expect((await begin(person.email, '192.0.2.1', { authorization })).status).toBe(429)
  await sql`UPDATE identity.users SET email_verified_at = now() WHERE email = ${person.email}`
  expect((await begin(person.email, '192.0.2.1', { authorization })).status).toBe(201)
})
