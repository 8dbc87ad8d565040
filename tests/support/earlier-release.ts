import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '#lib/db/migrate.ts'

/** Migrates an empty database up to the migration before this one, for a test of that migration. */
export async function migrateUntil(url: string, name: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-earlier-'))
  try {
    cpSync(join(import.meta.dir, '..', '..', 'drizzle'), folder, { recursive: true })
    const path = join(folder, 'meta', '_journal.json')
    const journal = JSON.parse(readFileSync(path, 'utf8')) as { entries: { tag: string }[] }
    const at = journal.entries.findIndex(({ tag }) => tag.endsWith(`_${name}`))
    if (at < 0) throw new Error(`There is no migration ${name}`)
    writeFileSync(path, JSON.stringify({ ...journal, entries: journal.entries.slice(0, at) }))
    await migrate(url, { folder })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
