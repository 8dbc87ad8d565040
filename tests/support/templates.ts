import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sql } from 'postgres'
import { migrate } from '#lib/db/migrate.ts'
import { administer, copyDatabase, type TestDatabase } from './database.ts'
import { databaseUrl } from './postgres.ts'
import { currentRun } from './run-folder.ts'
import type { WorldRecord } from './world/build.ts'

// The template databases of tests. Each is built once, by the first test file that needs it, and kept for later runs of
// the same code (tests/support/template-cache.ts).

/**
 * `started` is the state after a server's first start; `people` the test world; `apps` the world with apps of
 * developers.
 */
export type Template = 'started' | 'people' | 'apps'

const nameOf = (template: Template): string => `atrium_${template}`

const ready = new Map<Template, Promise<string>>()

/** Builds the template unless it exists, one process at a time; returns its database's name. */
export function ensureTemplate(template: Template): Promise<string> {
  const known = ready.get(template) ?? make(template)
  ready.set(template, known)
  return known
}

async function make(template: Template): Promise<string> {
  const name = nameOf(template)
  const { adminUrl } = await currentRun()
  await administer(adminUrl, async (sql) => {
    if (await isComplete(sql, name)) return
    await sql`SELECT pg_advisory_lock(hashtext(${name}))`
    if (await isComplete(sql, name)) return
    await sql.unsafe(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    const source =
      template === 'started' ? 'template0' : await ensureTemplate(template === 'people' ? 'started' : 'people')
    await sql.unsafe(`CREATE DATABASE ${name} TEMPLATE ${source}`)
    await fill[template](databaseUrl(adminUrl, name))
    await sql.unsafe(`ALTER DATABASE ${name} IS_TEMPLATE true`)
  })
  return name
}

const isComplete = async (sql: Sql, name: string): Promise<boolean> =>
  (await sql`SELECT FROM pg_database WHERE datname = ${name} AND datistemplate`).length > 0

type Undo = (() => Promise<unknown> | void)[]

async function undoAll(undo: Undo): Promise<void> {
  for (const step of undo.toReversed()) await step()
}

const fill: Record<Template, (url: string) => Promise<void>> = {
  started: async (url) => {
    await migrate(url)
    const { wireServer } = await import('./world/wire.ts')
    const { syncActions } = await import('../../src/services.ts')
    const undo: Undo = []
    const { provided, database, handle } = await wireServer({ url, home: await folderOf('started'), undo })
    await syncActions({ ...provided, now: () => new Date() }, database, handle)
    // Each test's server has its own SECRETS_KEY and seals with it.
    await database.sql`DELETE FROM identity.signing_keys`
    await database.sql`DELETE FROM platform.derivation_roots`
    await undoAll(undo)
  },
  people: async (url) => {
    const { wireServer } = await import('./world/wire.ts')
    const { buildWorld } = await import('./world/build.ts')
    const undo: Undo = []
    const home = await folderOf('people')
    const record = await buildWorld(await wireServer({ url, home, undo }))
    await undoAll(undo)
    await Bun.write(recordFile(home), JSON.stringify(record))
  },
  apps: async (url) => {
    const { wireServer } = await import('./world/wire.ts')
    const { buildApps } = await import('./world/build.ts')
    const undo: Undo = []
    const home = await folderOf('apps')
    cpSync(await folderOf('people'), home, { recursive: true })
    const record: WorldRecord = await Bun.file(recordFile(home)).json()
    await buildApps(await wireServer({ url, home, undo }), record)
    await undoAll(undo)
    await Bun.write(recordFile(home), JSON.stringify(record))
  },
}

/** The files of a template's server. */
async function folderOf(template: Template): Promise<string> {
  const folder = join((await currentRun()).folder, template)
  mkdirSync(folder, { recursive: true })
  return folder
}

const recordFile = (home: string): string => join(home, 'world.json')

interface WorldCopy extends TestDatabase {
  record: WorldRecord
  /** Its files, deleted with the database. */
  home: string
}

/** A copy of the world for one test file. */
export async function copyWorld(template: 'people' | 'apps'): Promise<WorldCopy> {
  const database = await copyDatabase(await ensureTemplate(template))
  const home = mkdtempSync(join(tmpdir(), 'atrium-world-'))
  const source = await folderOf(template)
  const record: WorldRecord = await Bun.file(recordFile(source)).json()
  if (existsSync(source)) cpSync(source, home, { recursive: true })
  const drop = () => database.drop().finally(() => rmSync(home, { recursive: true, force: true }))
  return { ...database, record, home, drop }
}
