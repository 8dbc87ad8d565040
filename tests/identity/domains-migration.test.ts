import { afterAll, beforeAll, expect, test } from 'bun:test'
import postgres from 'postgres'
import { migrate } from '#lib/db/migrate.ts'
import { migrateUntil } from '../support/earlier-release.ts'
import { emptyDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let sql: postgres.Sql

beforeAll(async () => {
  database = await emptyDatabase()
  sql = postgres(database.url, { max: 2, onnotice: () => {} })
})

afterAll(async () => {
  await sql?.end()
  await database?.drop()
})

const idOf = (nth: number) => `01890000-0000-7000-8000-00000000000${nth}`
const [acme, made, connected] = [idOf(1), idOf(2), idOf(3)]

test('IDN-49 migration leaves every domain unverified: accounts created by SSO are blocked until verification, connected ones keep working', async () => {
  await migrateUntil(database.url, 'organization_domains')
  await sql`INSERT INTO identity.organizations (id, slug, name, created_at) VALUES (${acme}, 'acme', 'Acme', now())`
  await sql`
    INSERT INTO identity.organization_sign_ins (id, organization_id, issuer, client_id, sealed_secret, domains, created_at)
    VALUES (${acme}, ${acme}, 'https://login.acme.example', 'atrium', 'sealed', ${['acme.example', 'acme.org']}, now())`
  await sql`
    INSERT INTO identity.users (id, email, name, created_at)
    VALUES (${made}, 'ina@acme.example', 'Ina', now()), (${connected}, 'max@acme.example', 'Max', now() - interval '1 day')`
  for (const id of [made, connected])
    await sql`
      INSERT INTO identity.upstream_identities (id, user_id, provider, issuer, subject, created_at)
      VALUES (${id}, ${id}, ${acme}, 'https://login.acme.example', ${id}, now())`

  await migrate(database.url)
  const domains = await sql`
    SELECT domain, verified_at, length(token) > 40 AS secret FROM identity.organization_domains ORDER BY domain`
  expect([...domains]).toEqual([
    { domain: 'acme.example', verified_at: null, secret: true },
    { domain: 'acme.org', verified_at: null, secret: true },
  ])
  const identities = await sql`SELECT id, domain FROM identity.upstream_identities ORDER BY id`
  expect([...identities]).toEqual([
    { id: made, domain: 'acme.example' },
    { id: connected, domain: null },
  ])
  expect([...(await sql`SELECT domains FROM identity.organization_sign_ins`)]).toEqual([
    { domains: ['unverified.invalid'] },
  ])
})
