import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'

/** The folder of a test server with its templates, as a finished run left it. */
const cache = join('node_modules', '.cache', 'atrium-tests')

/** Milliseconds after which what the world's people were given (tokens, links, planned posts) could be over. */
const longestUse = 6 * 60 * 60 * 1000

/** All on which the templates depend. */
const sources = ['src/**/*', 'drizzle/**/*', 'tests/support/**/*', 'bun.lock', 'package.json']

/** Copies the folder that an earlier run of the same code kept. Answers whether there was one. */
export function restoreTemplates(folder: string): boolean {
  const kept = join(cache, keyOf())
  if (!existsSync(kept) || Date.now() - statSync(kept).mtimeMs > longestUse) return false
  try {
    cpSync(kept, folder, { recursive: true, preserveTimestamps: true })
    return true
  } catch {
    // A run of other code removed it meanwhile.
    for (const part of readdirSync(folder)) rmSync(join(folder, part), { recursive: true, force: true })
    return false
  }
}

/** Keeps the folder of a stopped test server for later runs, in place of those of other code. Moves it. */
export function keepTemplates(folder: string): void {
  mkdirSync(cache, { recursive: true })
  for (const old of readdirSync(cache)) rmSync(join(cache, old), { recursive: true, force: true })
  try {
    renameSync(folder, join(cache, keyOf()))
  } catch {
    // Another run kept it first, or the cache is on another disk: it is made again.
  }
}

let key: string | undefined

function keyOf(): string {
  if (key) return key
  const hasher = new Bun.CryptoHasher('sha256').update(Bun.version)
  const files = sources.flatMap((pattern) => [...new Glob(pattern).scanSync('.')]).sort()
  for (const file of files) hasher.update(`${file}\0`).update(readFileSync(file))
  return (key = hasher.digest('hex').slice(0, 24))
}
