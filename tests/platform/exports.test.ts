import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { existsSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { z } from 'zod'
import type { Provided } from '#lib/call.ts'
import { chosenContexts } from '../../src/contexts.ts'
import { sweepExports } from '#platform'
import type { Export } from '#platform/types'
import { writeExport } from '../../src/platform/exports/write-export.ts'
import { eventually } from '../boot/program.ts'
import { exhaustRetries } from '../support/exhaust-retries.ts'
import { openWorld, type Caller, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld({ apps: true })
  await world.database.sql`UPDATE identity.memberships SET role = 'owner' WHERE user_id = ${world.vera.id}`
})

afterAll(() => world.close())

beforeEach(async () => {
  await world.database.sql`DELETE FROM platform.rate_limits WHERE class LIKE 'exports%'`
})

const now = () => new Date()
const send = (caller: Caller, of: 'organization' | 'account') =>
  caller.fetchJson<Export>(`POST /api/exports/${of}`, {}, 201)

function exportJob() {
  const jobs = chosenContexts(world.provided.config).flatMap((context) => context.jobs)
  const found = jobs.find(({ name }) => name.startsWith('platform.export-'))
  if (!found) throw new Error('There is no job that exports')
  return found
}

/** Runs the job of an export as a server's queue does. */
async function write(id: string, provided: Partial<Provided> = {}): Promise<void> {
  await exportJob().run({ ...world.provided, ...provided, input: { id }, database: world.database, now })
}

async function made(caller: Caller, of: 'organization' | 'account') {
  const { id } = await send(caller, of)
  await write(id)
  const answer = await caller.fetch(`GET /api/exports/${id}/file`)
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
  // The world's generated sessions have their person's id as hash.
  return (await Promise.all(values)).flat().flatMap(({ value }) => (z.guid().safeParse(value).success ? [] : [value]))
}

test('PLT-39 organization export has the organization’s rows and images, no data of others and no secrets', async () => {
  const { files, rows, text, id } = await made(world.ada, 'organization')
  expect(rows('social/posts')).toContainEqual(expect.objectContaining({ text: 'A draft of Acme', status: 'draft' }))
  expect(rows('social/brands')).toMatchObject([{ name: 'Acme Coffee' }])
  expect(rows('identity/organizations')).toMatchObject([{ name: 'Acme', id: world.ada.things.organizations }])
  expect(rows('identity/users').map(({ email }) => email)).toContain(world.vera.email)
  expect(rows('platform/audit_log')).toContainEqual(expect.objectContaining({ operation: 'exportOrganization' }))
  const image = await world.ada.fetch(`GET /api/media/${world.ada.things.media}/file`)
  expect(files[`social/media/${world.ada.things.media}.png`]).toEqual(await image.bytes())
  const logo = await world.ada.fetch(`GET /api/organizations/${world.ada.things.organizations}/logo`)
  expect(files['identity/organization_logos/logo.webp']).toEqual(await logo.bytes())
  const brandLogo = await world.ada.fetch(`GET /api/brands/${world.ada.things.brands}/logo`)
  expect(files[`social/brand_logos/${world.ada.things.brands}.webp`]).toEqual(await brandLogo.bytes())
  expect(JSON.parse(strFromU8(files['manifest.json'] ?? new Uint8Array()))).toMatchObject({ format: 1 })
  expect(text).not.toMatch(/Umbrella|mallory/i)
  const secrets = await secretsOfDatabase()
  expect(secrets.length).toBeGreaterThan(30)
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  expect(text).not.toContain(world.key.text)
  const [letter] = await world.letters(world.ada.email)
  expect(letter?.subject).toBe('Your Atrium export is ready')
  expect(letter?.text).toContain('/settings/export')
  expect(await world.ada.fetchJson(`GET /api/exports/${id}`)).toMatchObject({
    state: 'ready',
    bytes: expect.any(Number),
  })
  expect(existsSync(join(world.provided.config.DATA_DIR, 'exports-under-way', `${id}.zip`))).toBe(false)
})

test('PLT-39 personal export has only the person’s own data: no posts, no other people’s data, no secrets', async () => {
  const { files, rows, text } = await made(world.ada, 'account')
  expect(rows('identity/users')).toMatchObject([{ email: world.ada.email }])
  expect(rows('identity/memberships')).toMatchObject([
    { organizationId: world.ada.things.organizations, role: 'owner' },
  ])
  expect(rows('identity/sessions').length).toBeGreaterThan(0)
  // Texts that the person hasn't saved yet are theirs, and so are the addresses of their calendars.
  const social = Object.keys(files).filter((name) => name.startsWith('social/'))
  const own = ['social/unsaved_posts.json', 'social/calendar_feeds.json']
  expect(social.filter((name) => !own.includes(name))).toEqual([])
  expect(text).not.toContain(world.vera.email)
  const secrets = await secretsOfDatabase()
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
})

test('PLT-39 DSH-33 personal export has what the dashboard keeps of the person, and nothing of colleagues', async () => {
  const post = { cause: 'export', title: 'Look at the roof', reason: 'It leaks.', href: '/actions' }
  const { id } = await world.ada.fetchJson<{ id: string }>('POST /api/notifications', post, 201)
  const zoe = await world.join(world.ada, { name: 'Zoe', role: 'editor' })
  for (const person of [world.ada, zoe]) {
    await person.fetchJson('PUT /api/dashboard/layout', { widgets: [] })
    await person.fetchJson(`POST /api/notifications/${id}/snooze`, { hours: 1 }, 204)
    await person.fetch('POST /api/launches', { serviceId: world.serviceId, surface: 'catalog' })
  }
  const { rows } = await made(zoe, 'account')
  expect(rows('dashboard/layouts')).toMatchObject([{ personId: zoe.id }])
  expect(rows('dashboard/notification_snoozes')).toMatchObject([{ notificationId: id }])
  expect(rows('dashboard/launches')).toMatchObject([{ personId: zoe.id, serviceId: world.serviceId }])
  expect(rows('dashboard/notifications')).toEqual([])
})

test('PLT-39 PLT-23 personal export has the person’s actions in an organization, but not the old and new row values', async () => {
  const edda = await world.join(world.ada, { name: 'Edda', role: 'editor' })
  const draft = { brandId: world.ada.things.brands, provider: 'sandbox', text: 'Known to Acme alone' }
  const post = await world.ada.fetchJson<{ id: string }>('POST /api/posts', draft, 201)
  await edda.fetchJson(`DELETE /api/posts/${post.id}`, undefined, 204)
  await world.ada.fetchJson(
    `DELETE /api/organizations/${world.ada.things.organizations}/members/${edda.id}`,
    undefined,
    204,
  )
  const { rows, text } = await made(await edda.signIn(), 'account')
  const audit = rows('platform/audit_log')
  expect(audit).toContainEqual(expect.objectContaining({ operation: 'deletePost', objectId: post.id }))
  expect(audit.filter(({ organizationId, before, after }) => organizationId && (before || after))).toEqual([])
  expect(audit).toContainEqual(expect.objectContaining({ operation: 'exportAccount', after: { state: 'running' } }))
  expect(text).not.toContain('Known to Acme alone')
  expect((await made(world.ada, 'organization')).text).toContain('Known to Acme alone')
})

test('PLT-39 PLT-23 export can be downloaded only by the person who requested it, while they own the organization', async () => {
  const { id } = await made(world.ada, 'organization')
  const account = await made(world.ada, 'account')
  const statuses = async (caller: Caller, route: string) => (await caller.fetch(route)).status
  for (const route of [
    `GET /api/exports/${id}`,
    `GET /api/exports/${id}/file`,
    `GET /api/exports/${account.id}/file`,
  ]) {
    for (const caller of [world.vera, world.mallory, world.nora]) expect(await statuses(caller, route)).toBe(404)
    expect(await statuses(world.stranger, route)).toBe(401)
    expect(await statuses(world.key, route)).toBe(403)
  }
  expect(await world.vera.fetchJson('GET /api/exports')).toMatchObject({ items: [] })
  await world.database
    .sql`UPDATE platform.exports SET organization_id = ${world.mallory.things.organizations} WHERE id = ${id}`
  expect(await statuses(world.ada, `GET /api/exports/${id}/file`)).toBe(404)
  expect(await statuses(world.ada, `GET /api/exports/${account.id}/file`)).toBe(200)
})

test('PLT-39 organization has one running export: the same owner gets it again, another gets 409', async () => {
  const { id } = await send(world.ada, 'organization')
  const again = await world.ada.fetch('POST /api/exports/organization', {})
  expect(await again.json()).toMatchObject({ id })
  expect(again.headers.get('hx-trigger')).toContain('already running')
  const refused = await world.vera.fetch('POST /api/exports/organization', {})
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([409, 'export_running'])
  expect((await send(world.mallory, 'organization')).id).not.toBe(id)
  expect((await world.ada.fetch(`GET /api/exports/${id}/file`)).status).toBe(404)
  await write(id)
  await write(id)
  const next = await send(world.vera, 'organization')
  expect(next.id).not.toBe(id)
  await write(next.id)
})

test('PLT-39 PLT-30 export fails when its retries are used up, even after a server was killed, and another can be requested', async () => {
  const { id } = await send(world.mallory, 'account')
  const storage = { ...world.provided.storage, putFile: () => Promise.reject(new Error('The disk is full')) }
  await expect(write(id, { storage })).rejects.toThrow('The disk is full')
  expect(await world.mallory.fetchJson(`GET /api/exports/${id}`)).toMatchObject({ state: 'running' })
  await exhaustRetries(exportJob(), id, world.database, world.provided)
  expect(await world.mallory.fetchJson(`GET /api/exports/${id}`)).toMatchObject({ state: 'failed' })
  expect((await send(world.mallory, 'account')).id).not.toBe(id)
})

test('PLT-14 PLT-39 sixth export in 24 hours returns 429, a request during an export returns that export, and an address gets at most five emails', async () => {
  const { sql } = world.database
  await sql`DELETE FROM platform.mails`
  const ready = () => sql`UPDATE platform.exports SET state = 'failed', settled_at = now() WHERE state = 'running'`
  await ready()
  for (let at = 0; at < 5; at++) await write((await send(world.ada, 'account')).id)
  expect(await world.letters(world.ada.email)).toHaveLength(5)
  const refused = await world.ada.fetch('POST /api/exports/account', {})
  expect([refused.status, (await refused.json()).code]).toEqual([429, 'too_many_exports'])
  expect(Number(refused.headers.get('retry-after'))).toBeWithin(86_000, 86_401)
  const { id } = await send(world.ada, 'organization')
  for (let at = 0; at < 6; at++) expect((await send(world.ada, 'organization')).id).toBe(id)
  await write(id)
  expect(await world.ada.fetchJson(`GET /api/exports/${id}`)).toMatchObject({ state: 'ready' })
  expect(await world.letters(world.ada.email)).toHaveLength(5)
})

/** Whether an export and its file exist. */
const isKept = async (id: string) => [
  (await world.database.sql`SELECT FROM platform.exports WHERE id = ${id}`).length > 0,
  await world.provided.storage.exists(`exports/${id}.zip`),
]
const sweep = () => sweepExports.run({ ...world.provided, input: {}, database: world.database, now })

test('PLT-39 finished export replaces only the previous one of the same tenant', async () => {
  const [account, theirs] = [await made(world.ada, 'account'), await made(world.mallory, 'organization')]
  const first = await made(world.ada, 'organization')
  const running = await send(world.vera, 'organization')
  expect(await isKept(first.id)).toEqual([true, true])
  await write(running.id)
  expect(await isKept(first.id)).toEqual([false, false])
  for (const { id } of [account, theirs, running]) expect(await isKept(id)).toEqual([true, true])
  await made(world.ada, 'account')
  expect(await isKept(account.id)).toEqual([false, false])
})

test('PLT-39 file of an export that was canceled while it was being written is deleted', async () => {
  const { id } = await send(world.mallory, 'account')
  const { storage, ...others } = world.provided
  const putFile: typeof storage.putFile = async (...file) => {
    await storage.putFile(...file)
    await world.database.sql`UPDATE platform.exports SET state = 'failed', settled_at = now() WHERE id = ${id}`
  }
  await write(id, { ...others, storage: { ...storage, putFile } })
  expect(await isKept(id)).toEqual([true, false])
})

test('PLT-39 attempt that finishes late keeps the export that another attempt completed', async () => {
  const { id } = await send(world.mallory, 'account')
  const { storage } = world.provided
  const [isHeld, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const putFile: typeof storage.putFile = async (...file) => {
    isHeld.resolve()
    await gate.promise
    await storage.putFile(...file)
  }
  const late = write(id, { storage: { ...storage, putFile } })
  await isHeld.promise
  await write(id)
  gate.resolve()
  await late
  expect(await world.mallory.fetchJson(`GET /api/exports/${id}`)).toMatchObject({ state: 'ready' })
  expect((await world.mallory.fetch(`GET /api/exports/${id}/file`)).status).toBe(200)
})

test('PLT-39 archives left behind by killed servers are removed', async () => {
  const folder = join(world.provided.config.DATA_DIR, 'exports-under-way')
  const [left, recent] = [join(folder, 'left.zip'), join(folder, 'recent.zip')]
  for (const path of [left, recent]) await Bun.write(path, 'half')
  utimesSync(left, new Date(), new Date(Date.now() - 7 * 3_600_000))
  await sweep()
  expect([existsSync(left), existsSync(recent)]).toEqual([false, true])
})

test('PLT-39 expired export can’t be downloaded, and is deleted with its file', async () => {
  const { id } = await made(world.ada, 'account')
  await world.database.sql`UPDATE platform.exports SET expires_at = now() - interval '1 second' WHERE id = ${id}`
  expect((await world.ada.fetch(`GET /api/exports/${id}/file`)).status).toBe(404)
  expect(await world.provided.storage.exists(`exports/${id}.zip`)).toBe(true)
  await sweep()
  expect(await world.provided.storage.exists(`exports/${id}.zip`)).toBe(false)
  expect((await world.ada.fetch(`GET /api/exports/${id}`)).status).toBe(404)
})

test('PLT-39 settings offer an owner both exports, and list them', async () => {
  const html = { accept: 'text/html', 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' }
  const shown = async (caller: World['ada']) =>
    (
      await world.stranger.fetch('GET /settings/export', undefined, { ...html, cookie: (await caller.signIn()).cookie })
    ).text()
  await made(world.ada, 'account')
  const own = await shown(world.ada)
  for (const part of ['Export Acme', 'Export your account']) expect(own).toContain(part)
  expect(own).toMatch(/aria-label="Download Account, requested [A-Z]/)
  await made(world.ada, 'organization')
  expect(await shown(world.ada)).toMatch(/aria-label="Download Acme, requested [A-Z]/)
})

test('PLT-06 exports page shows the fragment of GET /api/exports, including after a new export', async () => {
  const { cookie } = await world.ada.signIn()
  const html = { cookie, accept: 'text/html', 'sec-fetch-site': 'same-origin' }
  const read = async (route: string, headers = {}) => {
    const body = route.startsWith('POST') ? {} : undefined
    const text = await (await world.stranger.fetch(route, body, { ...html, ...headers })).text()
    return text.replaceAll(/ hx-nonce="[^"]*"/g, '')
  }
  const list = await read('GET /api/exports', { 'hx-request': 'true' })
  expect(list).toStartWith('<section class="section" id="export-list"')
  expect(await read('GET /settings/export')).toContain(list)
  const after = await read('POST /api/exports/account', { 'hx-request': 'true' })
  expect(after).toStartWith('<section class="section" id="export-list"')
  expect(after).toContain('Running')
  expect(await world.ada.fetchJson('GET /api/exports')).toMatchObject({
    organizationName: 'Acme',
    can: { exportOrganization: true, exportAccount: true },
  })
  expect(await world.nora.fetchJson('GET /api/exports')).toMatchObject({
    organizationName: null,
    can: { exportOrganization: false, exportAccount: true },
  })
})

test('PLT-39 export fails immediately when the disk isn’t writable, and leaves no transaction open', async () => {
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

test('PLT-39 PLT-30 hanging export doesn’t delay exports of other tenants', async () => {
  const [hangs, quick] = [await send(world.mallory, 'organization'), await send(world.ada, 'account')]
  const end = Promise.withResolvers<undefined>()
  const { storage, queue } = world.provided
  const putFile: typeof storage.putFile = async (key, ...file) => {
    if (key.includes(hangs.id)) await end.promise
    await storage.putFile(key, ...file)
  }
  await queue.work([exportJob()], { ...world.provided, storage: { ...storage, putFile } }, now)
  const state = async (caller: Caller, id: string) => (await caller.fetchJson<Export>(`GET /api/exports/${id}`)).state
  expect(await eventually(async () => (await state(world.ada, quick.id)) === 'ready')).toBe(true)
  expect(await state(world.mallory, hangs.id)).toBe('running')
  const tenants = await world.database.sql`SELECT group_id FROM pgboss.job WHERE data->>'id' = ${hangs.id}`
  expect([...tenants]).toEqual([{ group_id: world.mallory.things.organizations }])
  end.resolve(undefined)
  expect(await eventually(async () => (await state(world.mallory, hangs.id)) === 'ready')).toBe(true)
})
