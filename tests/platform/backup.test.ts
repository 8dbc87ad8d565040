import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { startPostgres } from '#lib/embedded-postgres.ts'
import { migrate, migrationState } from '#lib/db/migrate.ts'
import { openStorage } from '#lib/storage.ts'
import { eventually, killRest, run } from '../boot/program.ts'
import { emptyDatabase, freshDatabase, type TestDatabase } from '../support/database.ts'
import { duePosts } from '../support/due-posts.ts'
import { newPublisher, inMs, type Publisher } from '../support/publisher.ts'
import { secretsKey, type Served } from '../support/served.ts'
import { newPushBrowser } from '../support/world/resources.ts'

// From an embedded PostgreSQL into another cluster with the commands, as an operator does.

const home = mkdtempSync(join(tmpdir(), 'atrium-backup-'))
const [there, here] = [join(home, 'there'), join(home, 'here')]
const archive = join(home, 'backup.tar.gz')
const fileText = 'The bytes of a picture'

let external: TestDatabase
let before: Rows

beforeAll(async () => {
  external = await emptyDatabase()
})
afterAll(async () => {
  await killRest()
  await external.drop()
  rmSync(home, { recursive: true, force: true })
})

const quick = { PUBLISH_LEASE_MS: '2000', PUBLISH_HEARTBEAT_MS: '500', PROVIDER_TIMEOUT_MS: '1000' }

async function serve(env: Record<string, string>): Promise<Served> {
  const program = run([process.execPath, 'src/server.ts'], {
    env: { ATRIUM_ENV: 'test', PORT: '0', LOG_LEVEL: 'warn', ...quick, ...env },
  })
  const [, url = ''] = await program.until(/(http:\/\/[\w.]+:\d+)/)
  return { ...program, url }
}

async function command(words: string[], env: Record<string, string>) {
  const program = run([process.execPath, 'src/cli.ts', ...words], { env: { ATRIUM_ENV: 'test', ...env } })
  return { status: await program.exited, said: program.output() }
}

type Rows = Record<string, string[]>

/** Every row of every table of every schema as text, the state of each sequence, and every constraint and trigger. */
async function contents(url: string): Promise<Rows> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const tables = await sql<{ name: string }[]>`
    SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'`
  const found: Rows = {}
  for (const { name } of tables) {
    const rows = await sql.unsafe<{ row: string }[]>(`SELECT (t.*)::text AS row FROM ${name} t ORDER BY 1`)
    found[name] = rows.map(({ row }) => row)
  }
  const listed = async (name: string, query: string) => {
    found[name] = (await sql.unsafe<{ row: string }[]>(query)).map(({ row }) => row)
  }
  await listed(
    'sequences',
    `SELECT schemaname || '.' || sequencename || ' ' || coalesce(last_value::text, 'new') AS row
    FROM pg_sequences ORDER BY 1`,
  )
  await listed(
    'constraints',
    `SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) AS row
    FROM pg_constraint WHERE connamespace::regnamespace::text !~ '^pg_|information_schema' ORDER BY 1`,
  )
  await listed(
    'triggers',
    `SELECT tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text AS row FROM pg_trigger
    WHERE NOT tgisinternal ORDER BY 1`,
  )
  await listed(
    'indexes',
    `SELECT indexdef AS row FROM pg_indexes WHERE schemaname !~ '^pg_|information_schema' ORDER BY 1`,
  )
  await sql.end()
  return found
}

/** Of two days: their records are in two partitions. */
async function reportUsage(url: string, token: string): Promise<void> {
  const event = { family: 'requests', provider: 'localization', unit: 'request', quantity: 1 }
  const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString()
  const events = [
    { ...event, requestId: 'r-1' },
    { ...event, requestId: 'r-2', occurredAt: yesterday },
  ]
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const body = JSON.stringify(events)
  const answer = await fetch(`${url}/platform/usage/events`, { method: 'POST', headers, body })
  expect(await answer.json()).toMatchObject({ accepted: 2 })
}

/** Tables of the dashboard that `useDashboard` fills. */
const dashboardTables = [
  ...(['chat_webhooks', 'launches', 'layouts', 'notification_deliveries', 'notification_preferences'] as const),
  ...(['notifications', 'push_keys', 'push_subscriptions', 'workflow_runs', 'workflows'] as const),
]

async function useDashboard({ call }: Publisher): Promise<void> {
  const choices = [{ kind: 'dashboard.posted', enabled: true }]
  // Nothing listens there.
  await call('PUT', '/api/chat-webhook', { url: 'http://127.0.0.1:9/services/1', choices })
  await call('POST', '/api/push-browsers', newPushBrowser(), 201)
  await call('PUT', '/api/notification-preferences', { frequency: 'daily' })
  await call('PUT', '/api/dashboard/layout', { widgets: [] })
  await call('POST', '/api/launches', { serviceId: 'platform-socialize', surface: 'catalog' })
  const action = { title: 'Feed', reason: 'Hungry.', href: '/actions' }
  const trigger = { type: 'schedule', cron: '0 9 * * 1', timeZone: 'Europe/Berlin' }
  const draft = { name: 'Mondays', trigger, steps: [{ type: 'action', ...action }] }
  const { id } = await call<{ id: string }>('POST', '/api/workflows', draft, 201)
  await call('POST', `/api/workflows/${id}/run`, {}, 201)
  await call('POST', '/api/notifications', { cause: 'backup', ...action }, 201)
  const isAnnounced = async () =>
    (await call<{ webhook: { problem: string | null } }>('GET', '/api/chat-webhook')).webhook.problem !== null
  expect(await eventually(isAnnounced, 30_000)).toBe(true)
}

test('PLT-35 backup of a running server is one file readable only by its owner, without the key', async () => {
  const server = await serve({ DATA_DIR: there })
  const ada = await newPublisher(server.url)
  const connectionId = await ada.connect('acme')
  const post = await ada.post({
    text: 'Out\n\\N "it" goes\t’',
    status: 'scheduled',
    scheduledAt: inMs(3_000),
    target: { connectionId },
  })
  await ada.until(post.id, ({ status }) => status === 'published')
  await ada.post({ text: 'A draft ✍️' })
  await reportUsage(server.url, ada.token)
  await useDashboard(ada)
  const bytes = new TextEncoder().encode(fileText)
  await openStorage({ DATA_DIR: there, S3_REGION: '' }).put('social/brand/file.png', bytes, 'image/png')

  const { status, said } = await command(['backup', archive], { DATA_DIR: there })
  expect([status, said]).toEqual([0, expect.stringContaining('and 1 files')])
  expect(statSync(archive).mode & 0o777).toBe(0o600)
  const key = readFileSync(join(there, 'secrets.key'), 'utf8').trim()
  const unpacked = Buffer.from(Bun.gunzipSync(readFileSync(archive)))
  expect(unpacked.includes(key)).toBe(false)
  expect((await command(['backup', archive], { DATA_DIR: there })).said).toContain('already exists')

  server.kill('SIGTERM')
  await server.exited
})

test('PLT-35 backup of the embedded database restores unchanged into an external one', async () => {
  const SECRETS_KEY = readFileSync(join(there, 'secrets.key'), 'utf8').trim()
  const quiet = join(home, 'quiet.tar.gz')
  const embedded = await startPostgres({ dataDir: there, log: () => {} })
  before = await contents(embedded.url)
  expect(await command(['backup', quiet], { DATA_DIR: there })).toMatchObject({ status: 0 })
  await embedded.stop()

  const env = { DATA_DIR: here, DATABASE_URL: external.url, SECRETS_KEY }
  expect(await command(['restore', quiet], env)).toMatchObject({ status: 0 })
  const after = await contents(external.url)
  expect(Object.keys(after).sort()).toEqual(Object.keys(before).sort())
  for (const table of Object.keys(before)) expect([table, after[table]]).toEqual([table, before[table]])
  expect(before['social.posts']?.join()).toContain('it')
  expect(before['identity.signing_keys']).toHaveLength(1)
  expect(before['gateway.usage_logs']).toHaveLength(2)
  expect(dashboardTables.filter((table) => !before[`dashboard.${table}`]?.length)).toEqual([])
  const file = await openStorage({ DATA_DIR: here, S3_REGION: '' }).read('social/brand/file.png')
  expect(new TextDecoder().decode(await file?.bytes())).toBe(fileText)
})

test('PLT-35 restored server signs users in, decrypts its secrets and publishes', async () => {
  const SECRETS_KEY = readFileSync(join(there, 'secrets.key'), 'utf8').trim()
  const server = await serve({ DATA_DIR: here, DATABASE_URL: external.url, SECRETS_KEY })
  const email = /[\w.]+@example\.com/.exec(before['identity.users']?.join() ?? '')?.[0]
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ email, password: 'correct horse battery' })
  const answer = await fetch(`${server.url}/api/auth/login`, { method: 'POST', headers, body })
  const { accessToken } = (await answer.json()) as { accessToken: string }
  const made = await fetch(`${server.url}/api/brands`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${accessToken}` },
    body: JSON.stringify({ name: 'After' }),
  })
  expect([answer.status, made.status]).toEqual([200, 201])
  // The sealed URL of the chat opens: nothing listens there.
  const tested = await fetch(`${server.url}/api/chat-webhook/test`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${accessToken}` },
    body: '{}',
  })
  expect([tested.status, await tested.json()]).toMatchObject([409, { code: 'chat_test_failed' }])

  const refused = await command(['restore', archive, '--replace'], { DATABASE_URL: external.url, SECRETS_KEY })
  expect([refused.status, refused.said]).toEqual([1, expect.stringContaining('Stop them first')])
  server.kill('SIGTERM')
  await server.exited
})

test('PLT-35 non-empty database is left unchanged without the flag, and a failed restore leaves it unchanged', async () => {
  const SECRETS_KEY = readFileSync(join(there, 'secrets.key'), 'utf8').trim()
  const env = { DATA_DIR: here, DATABASE_URL: external.url, SECRETS_KEY }
  const standing = await contents(external.url)
  const bytes = readFileSync(archive)
  const [cut, damaged, strange] = ['cut', 'damaged', 'strange'].map((name) => join(home, `${name}.tar.gz`)) as [
    string,
    string,
    string,
  ]
  writeFileSync(cut, bytes.subarray(0, bytes.length - 2000))
  const middle = bytes.length / 2
  writeFileSync(damaged, Buffer.concat([bytes.subarray(0, middle), Buffer.alloc(64), bytes.subarray(middle + 64)]))
  writeFileSync(strange, 'not a backup')
  const tries = [
    { words: [archive], says: 'The database isn’t empty' },
    { words: [archive, '--replace'], says: 'are encrypted with the key', env: { ...env, SECRETS_KEY: secretsKey } },
    { words: [cut, '--replace'], says: 'backup' },
    { words: [damaged, '--replace'], says: 'backup' },
    { words: [strange, '--replace'], says: 'backup' },
    { words: [join(home, 'none.tar.gz')], says: 'doesn’t exist' },
    { words: [], says: 'Usage: bun run restore' },
  ]
  for (const { words, says, env: other } of tries) {
    const { status, said } = await command(['restore', ...words], other ?? env)
    expect([words, status, said]).toEqual([words, 1, expect.stringContaining(says)])
    expect(said).not.toContain('    at ')
  }
  expect(await contents(external.url)).toEqual(standing)

  expect(await command(['restore', archive, '--replace'], env)).toMatchObject({ status: 0 })
  const names = (await contents(external.url))['social.brands']?.join()
  expect(names).not.toContain('After')
})

test('PLT-35 backup of an earlier release is restored and migrated to this one', async () => {
  const [earlier, now] = await Promise.all([emptyDatabase(), emptyDatabase()])
  const folder = join(home, 'earlier')
  cpSync('drizzle', folder, { recursive: true })
  const journal = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8'))
  const entries = journal.entries.slice(0, 3)
  writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }))
  await migrate(earlier.url, { folder })
  const sql = postgres(earlier.url, { max: 1 })
  // Larger than a chunk of the archive, 4 MiB.
  await sql`INSERT INTO identity.organizations
    SELECT gen_random_uuid(), 'acme-' || n, 'Acme', false, jsonb_build_object('x', repeat(n::text, 1000)), now()
    FROM generate_series(1, 3000) n`
  await sql.end()

  const path = join(home, 'earlier.tar.gz')
  expect(await command(['backup', path], { DATABASE_URL: earlier.url, DATA_DIR: here })).toMatchObject({ status: 0 })
  expect(await command(['restore', path], { DATABASE_URL: now.url, DATA_DIR: here })).toMatchObject({ status: 0 })
  const [had, has] = [await contents(earlier.url), await contents(now.url)]
  // A later release added the super admins' organization, and columns after the existing ones.
  const rows = had['identity.organizations'] ?? []
  const kept = (has['identity.organizations'] ?? []).filter((row) => !row.includes(',admin,'))
  const asBefore = (row: string, at: number) => `${row.slice(0, (rows[at]?.length ?? 1) - 1)})`
  expect(kept.map(asBefore)).toEqual(rows)
  expect(had['drizzle.__drizzle_migrations']).toHaveLength(3)
  expect(has['drizzle.__drizzle_migrations']).toEqual(expect.arrayContaining(had['drizzle.__drizzle_migrations'] ?? []))
  const { pending } = await state(now.url)
  expect(pending).toEqual([])
  await Promise.all([earlier.drop(), now.drop()])
})

test('PLT-35 posts that have become due since the backup are sent again unless --hold is given', async () => {
  const [was, now] = await Promise.all([freshDatabase(), emptyDatabase()])
  const posts = await duePosts(was.url)
  await posts.accounts(['acme'])
  await posts.schedule({ perAccount: 2, text: 'Overdue', inMs: -1_000 })
  await posts.schedule({ perAccount: 1, text: 'Later', inMs: 600_000 })
  await posts.close()
  const path = join(home, 'overdue.tar.gz')
  expect(await command(['backup', path], { DATABASE_URL: was.url, DATA_DIR: here })).toMatchObject({ status: 0 })
  const env = { DATABASE_URL: now.url, DATA_DIR: here }
  const { status, said } = await command(['restore', path, '--hold'], env)
  expect([status, said]).toEqual([0, expect.stringContaining('2 overdue posts were moved to drafts')])
  const texts = (await contents(now.url))['social.posts']?.join('\n') ?? ''
  expect([texts.match(/draft,Overdue/g)?.length, texts.match(/scheduled,Later/g)?.length]).toEqual([2, 1])
  await Promise.all([was.drop(), now.drop()])
})

async function state(url: string) {
  const sql = postgres(url, { max: 1 })
  return migrationState(sql).finally(() => sql.end())
}
