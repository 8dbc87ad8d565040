import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { z } from 'zod'
import type { Provided } from '#lib/call.ts'
import { chosenContexts } from '../../src/contexts.ts'
import { sweepExports, type Export } from '#platform'
import { writeExport } from '../../src/platform/exports/write-export.ts'
import { openWorld, type Caller, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld({ apps: true })
  await world.database.sql`UPDATE identity.memberships SET role = 'owner' WHERE user_id = ${world.vera.id}`
})

afterAll(() => world.close())

const now = () => new Date()
const ask = (caller: Caller, of: 'organization' | 'account') => caller.tell<Export>(`POST /api/exports/${of}`, {}, 201)

/** What a server's queue does with an export. */
async function write(id: string, provided: Partial<Provided> = {}): Promise<void> {
  const job = chosenContexts(world.provided.config)
    .flatMap(({ jobs }) => jobs)
    .find(({ name }) => name.startsWith('platform.export-'))
  await job?.run({ ...world.provided, ...provided, input: { id }, database: world.database, now })
}

async function made(caller: Caller, of: 'organization' | 'account') {
  const { id } = await ask(caller, of)
  await write(id)
  const answer = await caller.ask(`GET /api/exports/${id}/file`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip'])
  const files = unzipSync(await answer.bytes())
  const rows = (table: string): Record<string, unknown>[] =>
    JSON.parse(strFromU8(files[`${table}.json`] ?? new Uint8Array()))
  return {
    id,
    files,
    rows,
    text: Object.values(files)
      .map((file) => strFromU8(file))
      .join('\n'),
  }
}

/** Values of the columns that hold secrets and hashes. */
async function secretsOfDatabase(): Promise<string[]> {
  const { sql } = world.database
  const columns = await sql<{ table: string; column: string }[]>`
    SELECT format('%I.%I', table_schema, table_name) AS table, column_name AS column FROM information_schema.columns
    WHERE table_schema IN ('identity', 'social', 'platform') AND data_type = 'text'
      AND column_name ~ 'hash$|^sealed|^mark$|digest|fingerprint|^token$|public_key|private_key'`
  const values = columns.map(({ table, column }) =>
    sql.unsafe<{ value: string }[]>(`SELECT DISTINCT ${column} AS value FROM ${table} WHERE length(${column}) > 15`),
  )
  // The world's made-up sessions have their person's id in place of a hash.
  return (await Promise.all(values)).flat().flatMap(({ value }) => (z.guid().safeParse(value).success ? [] : [value]))
}

test('PLT-39 an owner’s export has the rows and images of the organization, nothing of another one and no secret', async () => {
  const { files, rows, text, id } = await made(world.ada, 'organization')
  expect(rows('social/posts')).toContainEqual(expect.objectContaining({ text: 'A draft of Acme', status: 'draft' }))
  expect(rows('social/brands')).toMatchObject([{ name: 'Acme Coffee' }])
  expect(rows('identity/organizations')).toMatchObject([{ name: 'Acme', id: world.ada.things.organizations }])
  expect(rows('identity/users').map(({ email }) => email)).toContain(world.vera.email)
  expect(rows('platform/audit_log')).toContainEqual(expect.objectContaining({ operation: 'exportOrganization' }))
  const image = await world.ada.ask(`GET /api/media/${world.ada.things.media}/file`)
  expect(files[`social/media/${world.ada.things.media}.png`]).toEqual(await image.bytes())
  expect(JSON.parse(strFromU8(files['manifest.json'] ?? new Uint8Array()))).toMatchObject({ format: 1 })
  expect(text).not.toMatch(/Umbrella|mallory/i)
  const secrets = await secretsOfDatabase()
  expect(secrets.length).toBeGreaterThan(30)
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  expect(text).not.toContain(world.key.text)
  const [letter] = await world.letters(world.ada.email)
  expect(letter?.subject).toBe('Your Atrium export is ready')
  expect(letter?.text).toContain('/settings/export')
  expect(await world.ada.tell(`GET /api/exports/${id}`)).toMatchObject({ state: 'ready', bytes: expect.any(Number) })
  expect(existsSync(join(world.provided.config.DATA_DIR, 'exports-under-way', `${id}.zip`))).toBe(false)
})

test('PLT-39 a person’s export has only their own data: no posts, no other people’s data, no secrets', async () => {
  const { files, rows, text } = await made(world.ada, 'account')
  expect(rows('identity/users')).toMatchObject([{ email: world.ada.email }])
  expect(rows('identity/memberships')).toMatchObject([
    { organizationId: world.ada.things.organizations, role: 'owner' },
  ])
  expect(rows('identity/sessions').length).toBeGreaterThan(0)
  expect(Object.keys(files).filter((name) => name.startsWith('social/'))).toEqual([])
  expect(text).not.toContain(world.vera.email)
  const secrets = await secretsOfDatabase()
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
})

test('PLT-39 PLT-23 only the person who requested an export can download it, while they own the organization', async () => {
  const { id } = await made(world.ada, 'organization')
  const account = await made(world.ada, 'account')
  const statuses = async (caller: Caller, route: string) => (await caller.ask(route)).status
  for (const route of [
    `GET /api/exports/${id}`,
    `GET /api/exports/${id}/file`,
    `GET /api/exports/${account.id}/file`,
  ]) {
    for (const caller of [world.vera, world.mallory, world.nora]) expect(await statuses(caller, route)).toBe(404)
    expect(await statuses(world.stranger, route)).toBe(401)
    expect(await statuses(world.key, route)).toBe(403)
  }
  expect(await world.vera.tell('GET /api/exports')).toEqual({ items: [], nextCursor: null })
  await world.database
    .sql`UPDATE platform.exports SET organization_id = ${world.mallory.things.organizations} WHERE id = ${id}`
  expect(await statuses(world.ada, `GET /api/exports/${id}/file`)).toBe(404)
  expect(await statuses(world.ada, `GET /api/exports/${account.id}/file`)).toBe(200)
})

test('PLT-39 an organization has one running export: the same owner gets it again, another gets 409', async () => {
  const { id } = await ask(world.ada, 'organization')
  const again = await world.ada.ask('POST /api/exports/organization', {})
  expect(await again.json()).toMatchObject({ id })
  expect(again.headers.get('hx-trigger')).toContain('already running')
  const refused = await world.vera.ask('POST /api/exports/organization', {})
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([409, 'export_running'])
  expect((await ask(world.mallory, 'organization')).id).not.toBe(id)
  expect((await world.ada.ask(`GET /api/exports/${id}/file`)).status).toBe(404)
  await write(id)
  await write(id)
  expect((await ask(world.vera, 'organization')).id).not.toBe(id)
})

test('PLT-39 an export that can’t be written fails after three attempts, and another can be requested', async () => {
  const { id } = await ask(world.mallory, 'account')
  const storage = { ...world.provided.storage, putFile: () => Promise.reject(new Error('The disk is full')) }
  for (const state of ['running', 'running', 'failed']) {
    await expect(write(id, { storage })).rejects.toThrow('The disk is full')
    expect(await world.mallory.tell(`GET /api/exports/${id}`)).toMatchObject({ state })
  }
  expect((await ask(world.mallory, 'account')).id).not.toBe(id)
})

test('PLT-39 an expired export can’t be downloaded, and is deleted with its file', async () => {
  const { id } = await made(world.ada, 'account')
  await world.database.sql`UPDATE platform.exports SET expires_at = now() - interval '1 second' WHERE id = ${id}`
  expect((await world.ada.ask(`GET /api/exports/${id}/file`)).status).toBe(404)
  expect(await world.provided.storage.exists(`exports/${id}.zip`)).toBe(true)
  await sweepExports.run({ ...world.provided, input: {}, database: world.database, now })
  expect(await world.provided.storage.exists(`exports/${id}.zip`)).toBe(false)
  expect((await world.ada.ask(`GET /api/exports/${id}`)).status).toBe(404)
})

test('PLT-39 the settings offer an owner both exports, and list them', async () => {
  const html = { accept: 'text/html', 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' }
  const shown = async (caller: World['ada']) =>
    (
      await world.stranger.ask('GET /settings/export', undefined, { ...html, cookie: (await caller.signIn()).cookie })
    ).text()
  const own = await shown(world.ada)
  for (const part of ['Export Acme', 'Export your account']) expect(own).toContain(part)
  expect(own).toMatch(/aria-label="Download (Organization|Account), requested [A-Z]/)
})

test('PLT-39 an export fails at once when the disk can’t be written, and leaves no transaction open', async () => {
  const { provided, database, ada } = world
  const [path, id] = [join(provided.config.DATA_DIR, 'taken.zip'), ada.things.organizations]
  await Bun.write(path, 'taken')
  const declared = chosenContexts(provided.config).flatMap(({ data = [] }) => data)
  const written = writeExport({
    database,
    storage: provided.storage,
    declared,
    tenant: 'organization',
    id,
    path,
    at: now(),
  })
  await expect(written).rejects.toThrow('EEXIST')
  const open =
    await database.sql`SELECT FROM pg_stat_activity WHERE state LIKE 'idle in transaction%' AND datname = current_database()`
  expect(open.length).toBe(0)
})
