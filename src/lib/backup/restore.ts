import type { TransactionSql } from 'postgres'
import { readEntry, readJsonEntry, readArchive, type ArchiveEntry } from './archive.ts'
import { presentSchemas } from './catalog.ts'
import { copyIn } from './copy.ts'
import { inspectArchive, requireSame } from './inspect.ts'
import { withoutConstraints } from './without-constraints.ts'
import { Ending, manifestName, nameOf, quoteName, type Manifest, type Table } from './manifest.ts'
import { inTransaction } from './session.ts'
import { signatureName } from './signature.ts'
import { createTables, productSchemas } from './structure.ts'
import { migrate } from '../db/migrate.ts'
import type { Secrets } from '../secrets.ts'
import { StartupError } from '../startup-error.ts'
import type { Storage } from '../storage.ts'

interface Options {
  url: string
  storage: Storage
  secrets: Secrets
  path: string
  replace: boolean
  unsigned: boolean
}

/**
 * In one transaction, after its signature is verified. @throws {StartupError} unless the database is empty and unused
 */
export async function restore({ url, storage, secrets, path, replace, unsigned }: Options): Promise<Ending> {
  const { manifest, signed, digest } = await inspectArchive(entriesOf(path), secrets)
  requireKeys(manifest, secrets)
  if (!signed && !unsigned) throw unknownOrigin()
  const entries = requireSame(entriesOf(path), digest)
  const ending = await inTransaction(url, '', async (sql) => {
    await dropExisting(sql, replace)
    await createTables(sql, manifest)
    let found: Ending | undefined
    await withoutConstraints(sql, manifest.tables, async () => {
      found = await load(sql, manifest, storage, entries)
    })
    await setSequences(sql, manifest)
    if (!signed) await refuseCommands(sql, manifest)
    return checkCounts(sql, manifest, found)
  })
  await migrate(url)
  return ending
}

async function* entriesOf(path: string): AsyncGenerator<ArchiveEntry> {
  for await (const { name, bytes } of describeErrors(path, readArchive(path)))
    yield { name, bytes: describeErrors(path, bytes) }
}

async function* describeErrors<Part>(path: string, parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  try {
    yield* parts
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new StartupError(`${path} doesn’t exist.`)
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartupError(`${path} can’t be read as a backup: ${reason}`)
  }
}

const unknownOrigin = () =>
  new StartupError(
    'This backup isn’t signed with a known key, so it could come from anyone. Set SECRETS_KEY to the key of the server that created it. If that key is lost, or the release that created it didn’t sign backups, and you trust the file, use --unsigned.',
  )

/** The queue runs SQL from some of its rows, so these are refused in an unsigned archive. */
async function refuseCommands(sql: TransactionSql, { queue }: Manifest): Promise<void> {
  if (queue === null) return
  const [found] = await sql<{ commands: boolean }[]>`
    SELECT EXISTS (SELECT FROM pgboss.bam) OR EXISTS (
      SELECT FROM pgboss.queue WHERE table_name !~ '^[a-z_][a-z0-9_]*$' OR name !~ '^[\\w.\\/-]+$') AS commands`
  if (found?.commands)
    throw new StartupError(
      'This backup isn’t signed and its queue contains database commands, so it can’t be restored.',
    )
}

function requireKeys({ keyIds }: Manifest, secrets: Secrets): void {
  const missing = keyIds.filter((id) => !secrets.keyIds.includes(id))
  if (missing.length === 0) return
  throw new StartupError(
    `The secrets in this backup are encrypted with the key ${missing.join(', ')}, not with this server’s key (${secrets.keyId}). Set SECRETS_KEY to that key, or copy the old server’s secrets.key into DATA_DIR.`,
  )
}

async function dropExisting(sql: TransactionSql, replace: boolean): Promise<void> {
  const present = await presentSchemas(sql, productSchemas())
  if (present.length > 0 && !replace)
    throw new StartupError(
      'The database isn’t empty. Restore into an empty database, or use --replace to delete all existing Atrium data.',
    )
  const [others] = await sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'atrium' AND pid <> pg_backend_pid()`
  if (others && others.count > 0)
    throw new StartupError(`Servers are using this database (${others.count} connections). Stop them first.`)
  for (const schema of present) await sql.unsafe(`DROP SCHEMA ${quoteName(schema)} CASCADE`)
}

async function load(
  sql: TransactionSql,
  { tables }: Manifest,
  storage: Storage,
  entries: AsyncIterable<ArchiveEntry>,
): Promise<Ending | undefined> {
  let ending: Ending | undefined
  const byName = new Map(tables.map((table) => [nameOf(table), table]))
  for await (const entry of entries) {
    const [kind, ...rest] = entry.name.split('/')
    const table = kind === 'tables' ? byName.get(rest[0] ?? '') : undefined
    if (table) await loadRows(sql, table, entry)
    else if (kind === 'files') await storage.put(rest.join('/'), await readEntry(entry), 'application/octet-stream')
    else if (kind === 'ending.json') ending = Ending.safeParse(await readJsonEntry(entry)).data
    else if (kind === manifestName || kind === signatureName) await readEntry(entry)
    else throw new StartupError(`The backup contains ${entry.name}, which this release doesn’t support.`)
  }
  return ending
}

async function loadRows(sql: TransactionSql, { schema, name, columns }: Table, { bytes }: ArchiveEntry): Promise<void> {
  const list = columns.map((column) => quoteName(column)).join(', ')
  await copyIn(sql, `COPY ${quoteName(schema, name)} (${list}) FROM STDIN`, bytes)
}

async function setSequences(sql: TransactionSql, { sequences }: Manifest): Promise<void> {
  for (const { schema, name, lastValue, isCalled } of sequences)
    await sql`SELECT setval(${quoteName(schema, name)}::regclass, ${lastValue}::bigint, ${isCalled})`
}

async function checkCounts(sql: TransactionSql, { tables }: Manifest, ending: Ending | undefined): Promise<Ending> {
  if (!ending) throw new StartupError('The backup is incomplete: its end is missing.')
  for (const table of tables) {
    const [row] = await sql.unsafe<{ count: string }[]>(
      `SELECT count(*) AS count FROM ${quoteName(table.schema, table.name)}`,
    )
    if (Number(row?.count) !== ending.rows[nameOf(table)])
      throw new StartupError(`The backup is incomplete: rows of ${nameOf(table)} are missing.`)
  }
  return ending
}
