import { afterAll, beforeAll, expect, test } from 'bun:test'
import { getTableConfig, type PgColumn } from 'drizzle-orm/pg-core'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import { rotateSecrets } from '#lib/secrets/rotate.ts'
import { sealContext } from '#lib/secrets/sealed.ts'
import { createSecrets } from '#lib/secrets.ts'
import { sealedColumns } from '../../src/commands/secrets-rotate.ts'
import { killRest, run } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { secretsKey as formerKey, serve, type Served } from '../support/served.ts'
import { bearer, password } from '../support/world.ts'

const key = 'b'.repeat(64)
const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'))
const [former, current] = [createSecrets(bytes(formerKey)), createSecrets(bytes(key), [bytes(formerKey)])]

let fresh: TestDatabase
let database: DatabaseHandle

beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase(fresh.url, 2)
})
afterAll(async () => {
  await killRest()
  await database.close()
  await fresh.drop()
})

const server = (env: Record<string, string>) => serve({ databaseUrl: fresh.url, env })
const both = { SECRETS_KEY: key, SECRETS_KEY_PREVIOUS: formerKey }

async function stop(served: Served) {
  served.kill('SIGTERM')
  await served.exited
}

/** Runs the command as an operator does. */
async function rotate(env: Record<string, string>) {
  const command = [process.execPath, 'src/cli.ts', 'secrets:rotate']
  const program = run(command, { env: { ATRIUM_ENV: 'test', DATABASE_URL: fresh.url, ...env } })
  return { status: await program.exited, said: program.output() }
}

/** The ids of the keys that the texts of all sealed columns use. */
async function keyIds(): Promise<string[]> {
  const rows = await database.sql<{ sealed: string }[]>`
    SELECT sealed_private_key AS sealed FROM identity.signing_keys
    UNION ALL SELECT sealed_root FROM platform.derivation_roots
    UNION ALL SELECT sealed_tokens FROM social.connections WHERE sealed_tokens IS NOT NULL`
  return [...new Set(rows.map(({ sealed }) => sealed.split('.')[0] ?? ''))]
}

/** Connections with tokens sealed with the former key. */
async function connect(count: number): Promise<string[]> {
  const brandId = newId()
  await database.sql`INSERT INTO social.brands (id, platform_org_id, name, slug, time_zone)
    VALUES (${brandId}, ${newId()}, 'Acme', ${`acme-${brandId}`}, 'UTC')`
  const ids = Array.from({ length: count }, newId)
  const rows = ids.map((id) => ({
    id,
    brand_id: brandId,
    provider: 'sandbox',
    owner_id: newId(),
    external_id: id,
    name: 'Acme',
    sealed_tokens: former.seal(`token of ${id}`, `social.connections:${id}`),
  }))
  await database.sql`INSERT INTO social.connections ${database.sql(rows)}`
  return ids
}

async function tokenOf(id: string, by = current): Promise<string> {
  const [row] = await database.sql`SELECT sealed_tokens FROM social.connections WHERE id = ${id}`
  return by.open(row?.['sealed_tokens'], `social.connections:${id}`)
}

const send = async (at: Served, path: string, body: object, token = '') => {
  const headers = { 'content-type': 'application/json', ...(token && bearer(token)) }
  const answer = await fetch(`${at.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: answer.status, body: (await answer.json()) as { accessToken: string; refreshToken: string } }
}

test('PLT-22 key rotation while servers are running keeps users signed in, and the previous key is no longer needed', async () => {
  const before = await server({ SECRETS_KEY: formerKey, SECRETS_KEY_PREVIOUS: key })
  const person = { name: 'Ada', email: 'ada@example.com', password, createOrganization: true }
  const { accessToken, refreshToken } = (await send(before, '/register', person)).body
  const ids = await connect(450)
  const during = await server(both)
  const { status, said } = await rotate(both)
  expect([status, said]).toEqual([0, expect.stringContaining('social.connections: 450 re-encrypted')])
  expect(await keyIds()).toEqual([current.keyId])
  const alone = createSecrets(bytes(key))
  expect(await tokenOf(ids[449] ?? '', alone)).toBe(`token of ${ids[449]}`)

  const after = await server({ SECRETS_KEY: key })
  for (const at of [before, during, after])
    expect((await send(at, '/api/brands', { name: `Brand of ${at.url}` }, accessToken)).status).toBe(201)
  expect((await send(after, '/api/auth/refresh', { refreshToken })).status).toBe(200)
  await Promise.all([before, during, after].map(stop))
})

test('PLT-22 second rotation finds nothing to do', async () => {
  const { status, said } = await rotate({ SECRETS_KEY: key })
  expect([status, said]).toEqual([0, expect.not.stringMatching(/[1-9]\d* re-encrypted/)])
})

test('PLT-22 interrupted rotation resumes, and keeps a secret that a server replaced in the meantime', async () => {
  const ids = await connect(3)
  const [one = '', two = '', three = ''] = ids
  const column = columnNamed('sealed_tokens')
  let calls = 0
  const interrupted = {
    ...current,
    rewrap: (sealed: string, context: string) => {
      if (++calls === 2) throw new Error('stopped')
      return current.rewrap(sealed, context)
    },
  }
  const [first] = await rotateSecrets(database, interrupted, [column])
  expect(first).toMatchObject({ rewrapped: 2, failed: [{ id: two, reason: 'stopped' }] })

  const replacing = {
    ...database,
    transaction: async <Result>(work: Parameters<typeof database.transaction<Result>>[0]) => {
      const sealed = current.seal('a newer token', `social.connections:${two}`)
      await database.sql`UPDATE social.connections SET sealed_tokens = ${sealed} WHERE id = ${two}`
      return database.transaction(work)
    },
  }
  expect(await rotateSecrets(replacing, current, [column])).toMatchObject([{ rewrapped: 0, failed: [] }])
  expect(await Promise.all([one, two, three].map((id) => tokenOf(id)))).toEqual([
    `token of ${one}`,
    'a newer token',
    `token of ${three}`,
  ])
})

test('PLT-22 secret encrypted with an unknown key is reported with its row, and the others are rotated', async () => {
  const [mine = '', strange = ''] = await connect(2)
  const sealed = createSecrets(bytes('c'.repeat(64))).seal('lost', `social.connections:${strange}`)
  await database.sql`UPDATE social.connections SET sealed_tokens = ${sealed} WHERE id = ${strange}`
  const { status, said } = await rotate(both)
  expect([status, said]).toEqual([1, expect.stringContaining(`social.connections ${strange}`)])
  expect(said).toContain('SECRETS_KEY_PREVIOUS')
  expect(said).not.toContain('    at ')
  expect(await tokenOf(mine, createSecrets(bytes(key)))).toBe(`token of ${mine}`)
})

test('PLT-22 server with neither key does not start, and names the required key', async () => {
  const stranger = run([process.execPath, 'src/server.ts'], {
    env: { ATRIUM_ENV: 'test', PORT: '0', DATABASE_URL: fresh.url, SECRETS_KEY: 'd'.repeat(64) },
  })
  expect(await stranger.exited).toBe(1)
  expect(stranger.output()).toContain(`another key (ID ${current.keyId}`)
})

test('PLT-22 every sealed column is rotated, by row ID', async () => {
  const rows = await database.sql<{ name: string }[]>`
    SELECT table_schema || '.' || table_name || '.' || column_name AS name
    FROM information_schema.columns WHERE column_name LIKE 'sealed%'`
  expect(sealedColumns.map(nameOf).sort()).toEqual(rows.map(({ name }) => name).sort())
  expect(sealedColumns.map((column) => sealContext(column, 'x'))).toContain('identity.signing_keys:x')
})

const snake = (name: string) => name.replace(/[A-Z]/g, (mail) => `_${mail.toLowerCase()}`)

function nameOf(column: PgColumn): string {
  const { schema, name } = getTableConfig(column.table)
  return `${schema}.${name}.${snake(column.name)}`
}

function columnNamed(name: string): PgColumn {
  const column = sealedColumns.find((one) => snake(one.name) === name)
  if (!column) throw new Error(`No column ${name}`)
  return column
}
