import type { Provided } from '#lib/call.ts'
import type { DatabaseHandle } from '#lib/db.ts'
import { noLimits } from '#lib/postgres/pool.ts'
import { tableName, type Tenant, type TenantData } from '#lib/tenant-data.ts'
import { writeZip, type ZipWriter } from './archive.ts'
import { jsonRows } from './rows.ts'

interface Options extends Pick<Provided, 'storage'> {
  database: DatabaseHandle
  declared: readonly TenantData[]
  tenant: Tenant
  id: string
  /** It must not exist. */
  path: string
  at: Date
}

/** All from the same snapshot, with bounded memory. */
export async function writeExport({ path, ...options }: Options): Promise<void> {
  const zip = await writeZip(path)
  try {
    await addManifest(zip, options)
    await addRows(zip, options)
    // After the snapshot's transaction: the storage can be slow.
    if (options.tenant === 'organization') await addFiles(zip, options)
    await zip.close()
  } catch (error) {
    zip.abort()
    throw error
  }
}

type Work = Omit<Options, 'path'>

const leaving = ({ declared, tenant }: Work) => declared.filter((one) => Array.isArray(one.export) && one.rows[tenant])

async function addManifest(zip: ZipWriter, work: Work): Promise<void> {
  const { tenant, id, at } = work
  const manifest = { format: 1, [tenant]: id, createdAt: at.toISOString(), tables: leaving(work).map(tableName) }
  await zip.add('manifest.json', chunk(`${JSON.stringify(manifest, null, 1)}\n`), { compress: true, at })
}

// oxlint-disable-next-line typescript/require-await
async function* chunk(text: string) {
  yield text
}

async function addRows(zip: ZipWriter, work: Work): Promise<void> {
  const { database, tenant, id, at } = work
  const sessions = database.openSessions(1, noLimits)
  try {
    await sessions.use((sql) =>
      sql.begin('ISOLATION LEVEL REPEATABLE READ READ ONLY', async (snapshot) => {
        await snapshot`SET LOCAL timezone = 'UTC'`
        for (const one of leaving(work)) {
          const path = `${tableName(one).replace('.', '/')}.json`
          await zip.add(path, jsonRows(database.db, snapshot, one, tenant, id), { compress: true, at })
        }
      }),
    )
  } finally {
    await sessions.close()
  }
}

async function addFiles(zip: ZipWriter, { database, declared, storage, id, at }: Work): Promise<void> {
  for (const one of declared) {
    for await (const found of one.files?.(database.db, id) ?? []) {
      const file = 'content' in found ? found.content : await storage.read(found.key)
      // A file that was deleted since the snapshot is listed in the rows only.
      if (!file) continue
      const path = `${tableName(one).replace('.', '/')}/${found.name}`
      await zip.add(path, file.stream(), { compress: false, at })
    }
  }
}
