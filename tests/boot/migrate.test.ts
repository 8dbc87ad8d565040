import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { migrate, migrationState } from '#lib/db/migrate.ts'
import { connect } from '#lib/postgres/connect.ts'
import { emptyDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let sql: postgres.Sql
let folder = ''
beforeAll(async () => {
  database = await emptyDatabase()
  sql = postgres(database.url, { max: 2, onnotice: () => {} })
  folder = mkdtempSync(join(tmpdir(), 'atrium-migrations-'))
  mkdirSync(join(folder, 'meta'))
})
afterEach(async () => {
  await sql.unsafe('DROP SCHEMA IF EXISTS drizzle CASCADE; DROP SCHEMA public CASCADE; CREATE SCHEMA public')
})
afterAll(async () => {
  await sql?.end()
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** Writes a release: its migrations by name, in order, one minute apart. */
function release(migrations: Record<string, string>): void {
  const entries = Object.entries(migrations).map(([tag, statements], idx) => {
    writeFileSync(join(folder, `${tag}.sql`), statements)
    return { idx, version: '7', when: 1_795_000_000_000 + idx * 60_000, tag, breakpoints: true }
  })
  writeFileSync(join(folder, 'meta', '_journal.json'), JSON.stringify({ version: '7', dialect: 'postgresql', entries }))
}

const makesNotes = { '0000_notes': 'CREATE TABLE notes (text text)' }
const andAdds = {
  ...makesNotes,
  '0001_author': `SELECT pg_sleep(0.2);--> statement-breakpoint\nALTER TABLE notes ADD author text`,
}

const refusal = (url: string): Promise<unknown> =>
  migrate(url, { folder }).then(
    () => 'migrated',
    (error: unknown) => error,
  )

test('PLT-03 new release applies missing migrations, and reports pending ones until then', async () => {
  release(makesNotes)
  expect(await migrationState(sql, { folder })).toEqual({ pending: ['0000_notes'] })
  await migrate(database.url, { folder })
  await sql`INSERT INTO notes VALUES ('kept')`

  release(andAdds)
  expect(await migrationState(sql, { folder })).toEqual({ pending: ['0001_author'] })
  await migrate(database.url, { folder })
  expect(await migrationState(sql, { folder })).toEqual({ pending: [] })
  expect([...(await sql`SELECT * FROM notes`)]).toEqual([{ text: 'kept', author: null }])
})

test('PLT-03 servers that start at the same time all become ready, and each migration runs once', async () => {
  release(andAdds)
  await Promise.all([1, 2, 3, 4].map(() => migrate(database.url, { folder })))
  expect([...(await sql`SELECT count(*)::int AS applied FROM drizzle.__drizzle_migrations`)]).toEqual([{ applied: 2 }])
})

test('PLT-03 previous release starts on a migrated database', async () => {
  release(andAdds)
  await migrate(database.url, { folder })
  release(makesNotes)
  await migrate(database.url, { folder })
  expect(await migrationState(sql, { folder })).toEqual({ pending: [] })
})

test('PLT-03 failed migration is rolled back and reports the reason', async () => {
  release({ ...makesNotes, '0001_wrong': 'ALTER TABLE absent ADD author text' })
  expect(await refusal(database.url)).toMatchObject({
    name: 'StartupError',
    message: expect.stringContaining('relation "absent" does not exist'),
  })
  expect([...(await sql`SELECT to_regclass('notes') AS notes`)]).toEqual([{ notes: null }])
})

test('PLT-03 PostgreSQL server below the minimum version is rejected', async () => {
  // The real server, which claims to be PostgreSQL 14 in this database.
  await sql.unsafe(`
    CREATE FUNCTION public.current_setting(text) RETURNS text LANGUAGE sql AS $$ SELECT '140011' $$;
    DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database()); END $$`)
  const answer = await refusal(database.url)
  await sql.unsafe(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I RESET search_path', current_database()); END $$`)
  expect(answer).toMatchObject({ name: 'StartupError', message: expect.stringContaining('PostgreSQL 14 is too old') })
})

test('PLT-03 unusable database is reported with instructions and without its password', async () => {
  const other = (change: (address: URL) => void): string => {
    const address = new URL(database.url)
    change(address)
    return address.href
  }
  const { host, password, pathname } = new URL(database.url)
  const name = `"${pathname.slice(1)}"`
  const cases: [string, string[]][] = [
    [
      other((url) => (url.port = '1')),
      [`Can’t connect to PostgreSQL on 127.0.0.1:1, database ${name}`, 'correct DATABASE_URL'],
    ],
    [other((url) => (url.hostname = 'nowhere.invalid')), ['nowhere.invalid', name, 'doesn’t exist']],
    [other((url) => (url.password = 'guessed')), [host, name, 'rejected the user or password']],
    [other((url) => (url.pathname = '/absent')), [host, '"absent"', 'CREATE DATABASE']],
    [other((url) => (url.search = '?sslmode=require')), [host, name, 'support TLS']],
    ['127.0.0.1/atrium', ['DATABASE_URL must be a URL']],
  ]
  for (const [url, words] of cases) {
    const answer = await refusal(url)
    expect(answer).toMatchObject({ name: 'StartupError', exitCode: 1 })
    for (const word of words) expect(String(answer)).toContain(word)
    expect(String(answer)).not.toContain(password)
    expect(String(answer)).not.toContain('guessed')
  }
})

test('PLT-03 startup fails within a limit when the database accepts the connection and never responds', async () => {
  const stranger = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const url = `postgres://atrium:secret@127.0.0.1:${stranger.port}/atrium`
  await expect(connect(url, 300)).rejects.toThrow(`Can’t connect to PostgreSQL on 127.0.0.1:${stranger.port}`)
  stranger.stop(true)
})
