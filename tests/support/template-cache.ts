import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'

/** The folder of a test server with its templates, as a finished run left it. */
const cache = join('node_modules', '.cache', 'atrium-tests')

/** Milliseconds after which values of the test world (tokens, links, planned posts) could have expired. */
const longestUse = 6 * 60 * 60 * 1000

/** Everything on which the templates depend. */
const sources = ['src/**/*', 'drizzle/**/*', 'tests/support/**/*', 'bun.lock', 'package.json']

/** Copies the folder that an earlier run of the same code kept. Returns whether there was one. */
export function restoreTemplates(folder: string): boolean {
  const kept = join(cache, keyOf())
  if (!existsSync(kept) || isOver(kept)) return false
  try {
    cpSync(kept, folder, { recursive: true, preserveTimestamps: true })
    return true
  } catch {
    // A run of other code removed it in the meantime.
    for (const part of readdirSync(folder)) rmSync(join(folder, part), { recursive: true, force: true })
    return false
  }
}

/** Keeps the folder of a stopped test server for later runs, replacing those of other code. */
export function keepTemplates(folder: string): void {
  mkdirSync(cache, { recursive: true })
  const others = readdirSync(cache).filter((name) => !name.startsWith(draftPrefix) || isOver(join(cache, name)))
  for (const name of others) rmSync(join(cache, name), { recursive: true, force: true })
  const draft = mkdtempSync(join(cache, draftPrefix))
  cpSync(folder, draft, { recursive: true, preserveTimestamps: true })
  try {
    renameSync(draft, join(cache, keyOf()))
  } catch {
    // Another run kept it first.
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Prefix of unfinished copies. */
const draftPrefix = 'new-'

const isOver = (kept: string): boolean =>
  Date.now() - (statSync(kept, { throwIfNoEntry: false })?.mtimeMs ?? 0) > longestUse

let key: string | undefined

function keyOf(): string {
  if (key) return key
  const hasher = new Bun.CryptoHasher('sha256').update(Bun.version)
  const files = sources.flatMap((pattern) => [...new Glob(pattern).scanSync('.')]).sort()
  for (const file of files) hasher.update(`${file}\0`).update(readFileSync(file))
  return (key = hasher.digest('hex').slice(0, 24))
}
