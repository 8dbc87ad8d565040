import { rename, rm } from 'node:fs/promises'
import type { TransactionSql } from 'postgres'
import { createArchive, type ArchiveWriter } from './backup/archive.ts'
import { presentSchemas, readCatalog, readSequences } from './backup/catalog.ts'
import { copyOut } from './backup/copy.ts'
import { isSealed, manifestName, nameOf, quoteName, type Ending, type Manifest, type Table } from './backup/manifest.ts'
import { inTransaction } from './backup/session.ts'
import { productSchemas } from './backup/structure.ts'
import type { Secrets } from './secrets.ts'
import { StartupError } from './startup-error.ts'
import type { Storage } from './storage.ts'

interface Options {
  url: string
  storage: Storage
  secrets: Secrets
  path: string
  now: Date
}

export interface BackupReport extends Ending {
  keyIds: string[]
}

/** Consistent, while servers run. Signed by a key that isn't in it (PLT-35). @throws {StartupError} */
export async function backup({ url, storage, secrets, path, now }: Options): Promise<BackupReport> {
  const draft = `${path}.part`
  try {
    const archive = createArchive(draft)
    const report = await inTransaction(url, 'ISOLATION LEVEL REPEATABLE READ READ ONLY', async (sql) => {
      const manifest = await createManifest(sql, now)
      await archive.add(manifestName, json(manifest))
      const rows: Ending['rows'] = {}
      for (const table of manifest.tables) rows[nameOf(table)] = await addTable(sql, archive, table)
      return { rows, keyIds: manifest.keyIds }
    })
    const ending = { rows: report.rows, files: await addFiles(archive, storage) }
    await archive.add('ending.json', json(ending))
    await archive.sign(secrets)
    await archive.close()
    await rename(draft, path)
    return { ...report, ...ending }
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

const json = (value: Manifest | Ending): Uint8Array => Buffer.from(`${JSON.stringify(value, null, 1)}\n`)

async function createManifest(sql: TransactionSql, now: Date): Promise<Manifest> {
  const schemas = await presentSchemas(sql, productSchemas())
  if (!schemas.includes('drizzle'))
    throw new StartupError('This database has no Atrium tables, so there is nothing to back up.')
  const [last] = await sql<{ level: number }[]>`
    SELECT max(created_at)::float8 AS level FROM drizzle.__drizzle_migrations`
  const [queue] = schemas.includes('pgboss') ? await sql<{ version: number }[]>`SELECT version FROM pgboss.version` : []
  const catalog = await readCatalog(sql, schemas)
  return {
    format: 1,
    createdAt: now.toISOString(),
    level: last?.level ?? 0,
    queue: queue?.version ?? null,
    keyIds: await keyIdsOf(sql, catalog.tables),
    ...catalog,
    sequences: await readSequences(sql, schemas),
  }
}

async function keyIdsOf(sql: TransactionSql, tables: Table[]): Promise<string[]> {
  const ids = new Set<string>()
  for (const { schema, name, columns } of tables) {
    for (const column of columns.filter(isSealed).map((one) => quoteName(one))) {
      const rows = await sql.unsafe<{ id: string }[]>(
        `SELECT DISTINCT split_part(${column}, '.', 1) AS id FROM ${quoteName(schema, name)} WHERE ${column} IS NOT NULL`,
      )
      for (const { id } of rows) ids.add(id)
    }
  }
  return [...ids].sort()
}

async function addTable(sql: TransactionSql, archive: ArchiveWriter, table: Table): Promise<number> {
  const columns = table.columns.map((column) => quoteName(column)).join(', ')
  const statement = `COPY (SELECT ${columns} FROM ${quoteName(table.schema, table.name)}) TO STDOUT`
  let rows = 0
  async function* counted() {
    for await (const chunk of copyOut(sql, statement)) {
      for (const byte of chunk) if (byte === newline) rows++
      yield chunk
    }
  }
  await archive.addLines(`tables/${nameOf(table)}`, counted())
  return rows
}

const newline = 10

/** Called after the tables: files stored in the meantime are included too, which is harmless. */
async function addFiles(archive: ArchiveWriter, storage: Storage): Promise<number> {
  let files = 0
  for await (const key of storage.keys()) {
    const file = await storage.read(key)
    if (!file) continue
    await archive.add(`files/${key}`, await file.bytes())
    files++
  }
  return files
}
