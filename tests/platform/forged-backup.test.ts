import { afterAll, expect, test } from 'bun:test'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { pack } from 'tar-stream'
import { readEntry, readArchive } from '#lib/backup/archive.ts'
import { Manifest } from '#lib/backup/manifest.ts'
import { restore } from '#lib/backup/restore.ts'
import { secretsOf, type Secrets } from '#lib/secrets.ts'
import { openStorage } from '#lib/storage.ts'
import { killRest, run } from '../boot/program.ts'
import { emptyDatabase, freshDatabase } from '../support/database.ts'

// Archives that others wrote or changed, given to an operator to restore.

const home = mkdtempSync(join(tmpdir(), 'atrium-forged-'))
const here = join(home, 'here')
afterAll(async () => {
  await killRest()
  rmSync(home, { recursive: true, force: true })
})

async function command(words: string[], env: Record<string, string>) {
  const program = run([process.execPath, 'src/cli.ts', ...words], { env: { ATRIUM_ENV: 'test', ...env } })
  return { status: await program.exited, said: program.output() }
}

type Entries = Map<string, Buffer>

async function entriesOf(path: string): Promise<Entries> {
  const found: Entries = new Map()
  for await (const entry of readArchive(path)) found.set(entry.name, Buffer.from(await readEntry(entry)))
  return found
}

/** Writes an archive of these entries as another program does. */
async function forge(name: string, entries: Entries): Promise<string> {
  const tar = pack()
  for (const [entry, bytes] of entries) tar.entry({ name: entry }, bytes)
  tar.finalize()
  const path = join(home, `${name}.tar.gz`)
  writeFileSync(path, Bun.gzipSync(await buffer(tar)))
  return path
}

/** Without its signature, like a release without signatures. */
const unsigned = (entries: Entries): Entries => new Map([...entries].filter(([name]) => name !== 'signature.json'))

/** With a table that was created through a partition bound. */
function commanding(entries: Entries): Entries {
  const manifest: Manifest = JSON.parse(String(entries.get('manifest.json')))
  const bound = "FOR VALUES FROM ('2020-01-01') TO ('2020-01-02'); CREATE TABLE public.commanded()"
  manifest.partitions.push({ name: 'another', schema: 'pgboss', parent: 'queue_stats', bound })
  return new Map(entries).set('manifest.json', Buffer.from(JSON.stringify(manifest)))
}

async function tableExists(url: string, name: string): Promise<boolean> {
  const sql = postgres(url, { max: 1 })
  return (await sql`SELECT to_regclass(${name}) AS found`.finally(() => sql.end()))[0]?.['found'] !== null
}

/** The backup of a new server; `first` changes its database before. */
async function backedUp(name: string, first = ''): Promise<{ path: string; entries: Entries }> {
  const was = await freshDatabase()
  const sql = postgres(was.url, { max: 1 })
  await sql.unsafe(first).finally(() => sql.end())
  const path = join(home, `${name}.tar.gz`)
  expect(await command(['backup', path], { DATABASE_URL: was.url, DATA_DIR: here })).toMatchObject({ status: 0 })
  await was.drop()
  return { path, entries: await entriesOf(path) }
}

test('PLT-35 PLT-22 archive that was changed or is not signed is rejected before anything is written', async () => {
  const now = await emptyDatabase()
  const { path, entries } = await backedUp('signed')
  const extra = new Map(entries).set('files/social/b/x.png', Buffer.from('strange'))
  const [rows = ''] = [...entries.keys()].filter((name) => name.startsWith('tables/'))
  const altered = await forge('altered', new Map(entries).set(rows, Buffer.from('altered\n')))
  const tries: [words: string[], says: string, dataDir?: string][] = [
    [[await forge('commanding', commanding(entries))], 'can’t read'],
    [[await forge('stripped', commanding(unsigned(entries))), '--unsigned'], 'can’t read'],
    [[await forge('unsigned', unsigned(entries))], '--unsigned'],
    [[altered], 'changed'],
    [[altered, '--unsigned'], 'changed'],
    [[await forge('extra', extra)], 'changed'],
    [[path], 'signed with a known key', join(home, 'elsewhere')],
  ]
  for (const [words, says, dataDir = here] of tries) {
    const { status, said } = await command(['restore', ...words], { DATABASE_URL: now.url, DATA_DIR: dataDir })
    expect([words, status, said]).toEqual([words, 1, expect.stringContaining(says)])
  }
  expect(await tableExists(now.url, 'public.commanded')).toBe(false)
  expect(await tableExists(now.url, 'identity.users')).toBe(false)
  expect(await openStorage({ DATA_DIR: here, S3_REGION: '' }).read('social/b/x.png')).toBeNull()
  await now.drop()
})

test('PLT-35 PLT-22 archive that is replaced after its signature is checked is not restored', async () => {
  const now = await emptyDatabase()
  const { path, entries } = await backedUp('replaced')
  const ending = entries.get('ending.json') ?? Buffer.from('')
  const other = await forge('other', new Map(entries).set('ending.json', Buffer.from(`${String(ending)} `)))
  const own = secretsOf({ DATA_DIR: here })
  const secrets: Secrets = {
    ...own,
    deriveFrom: (id, purpose) => {
      // The signature is checked after the first reading.
      copyFileSync(other, path)
      return own.deriveFrom(id, purpose)
    },
  }
  const storage = openStorage({ DATA_DIR: here, S3_REGION: '' })
  const restored = restore({ url: now.url, storage, secrets, path, replace: false, unsigned: false })
  expect(await restored.catch((error: Error) => error.message)).toStartWith('The backup file changed while it was read')
  expect(await tableExists(now.url, 'identity.users')).toBe(false)
  await now.drop()
})

test('PLT-35 --unsigned accepts an archive from a release without signatures', async () => {
  const now = await emptyDatabase()
  const { entries } = await backedUp('former')
  const words = ['restore', await forge('bare', unsigned(entries)), '--unsigned']
  expect(await command(words, { DATABASE_URL: now.url, DATA_DIR: here })).toMatchObject({ status: 0 })
  expect(await tableExists(now.url, 'identity.users')).toBe(true)
  await now.drop()
})

test('PLT-35 PLT-22 backup made before a key rotation is verified with the previous key', async () => {
  const now = await emptyDatabase()
  const { path } = await backedUp('rotated')
  const SECRETS_KEY = 'c'.repeat(64)
  const env = { DATABASE_URL: now.url, DATA_DIR: here, SECRETS_KEY }
  expect(await command(['restore', path], env)).toMatchObject({ status: 1 })
  const SECRETS_KEY_PREVIOUS = readFileSync(join(here, 'secrets.key'), 'utf8').trim()
  expect(await command(['restore', path], { ...env, SECRETS_KEY_PREVIOUS })).toMatchObject({ status: 0 })
  await now.drop()
})

test('PLT-35 queue data in an unsigned archive can’t run SQL statements', async () => {
  const now = await emptyDatabase()
  const insertCommand = `INSERT INTO pgboss.bam (name, version, queue, table_name, command)
    VALUES ('x', 1, 'x', 'job', 'CREATE TABLE public.commanded()')`
  const { entries } = await backedUp('queue', insertCommand)
  const words = ['restore', await forge('queue-bare', unsigned(entries)), '--unsigned']
  const { status, said } = await command(words, { DATABASE_URL: now.url, DATA_DIR: here })
  expect([status, said]).toEqual([1, expect.stringContaining('contains database commands')])
  expect(await tableExists(now.url, 'pgboss.bam')).toBe(false)
  await now.drop()
})

const table = { schema: 'social', name: 'posts', columns: ['id'] }
const partition = { schema: 'pgboss', name: 'job_common', parent: 'job', bound: 'DEFAULT' }
const sequence = { schema: 'drizzle', name: 'ids', lastValue: '7', isCalled: true }
const manifest: Manifest = {
  format: 1,
  createdAt: '2026-11-22T00:00:00.000Z',
  level: 1,
  queue: 1,
  keyIds: ['0123456789ab'],
  tables: [table],
  partitions: [partition],
  sequences: [sequence],
}
const date = `FOR VALUES FROM ('2026-11-22') TO ('2026-11-23')`

test.each(['DEFAULT', date, `FOR VALUES IN ('social.publish', 'identity.delete')`])(
  'PLT-35 range bound in PostgreSQL’s format is accepted: %s',
  (bound) => {
    const { success } = Manifest.safeParse({ ...manifest, partitions: [{ ...partition, bound }] })
    expect(success).toBe(true)
  },
)

const forgeries: [string, Partial<Manifest>][] = [
  ['bound', { partitions: [{ ...partition, bound: `${date}; DROP TABLE identity.users` }] }],
  ['quote in a bound', { partitions: [{ ...partition, bound: `FOR VALUES IN ('it''s')` }] }],
  ['expression as a bound', { partitions: [{ ...partition, bound: 'FOR VALUES IN (pg_sleep(9))' }] }],
  ['partition', { partitions: [{ ...partition, name: 'x" (); --' }] }],
  ['schema', { tables: [{ ...table, schema: "public'; --" }] }],
  ['column', { tables: [{ ...table, columns: ['id") FROM STDIN; --'] }] }],
  ['place of a sequence', { sequences: [{ ...sequence, lastValue: '1); --' }] }],
  ['key’s id', { keyIds: ['\u001b[2J'] }],
]
test.each(forgeries)('PLT-35 value that can’t be a %s is rejected in an archive', (_, forged) => {
  expect(Manifest.safeParse({ ...manifest, ...forged }).success).toBe(false)
})
