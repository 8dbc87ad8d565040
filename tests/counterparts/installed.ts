import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Installs a counterpart's own packages with node's npm: they are not dependencies of the product, and some compile for
 * minutes.
 */
export async function installed(name: string): Promise<string> {
  const folder = join(import.meta.dir, name)
  if (isCurrent(folder)) return folder
  console.log(`Installing the counterpart ${name}: this can take some minutes …`)
  const child = Bun.spawn(['npm', 'ci', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = (await Promise.all([child.stdout, child.stderr].map(Bun.readableStreamToText))).join('')
  if ((await child.exited) !== 0) throw new Error(`The counterpart ${name} could not be installed:\n${output}`)
  writeFileSync(markOf(folder), lockOf(folder))
  return folder
}

/** The lock file of an installation, compared by content: modification times of checked-out files are arbitrary. */
const lockOf = (folder: string): string =>
  new Bun.CryptoHasher('sha256').update(readFileSync(join(folder, 'package-lock.json'))).digest('hex')

const markOf = (folder: string): string => join(folder, 'node_modules', '.installed-by')

const isCurrent = (folder: string): boolean =>
  existsSync(markOf(folder)) && readFileSync(markOf(folder), 'utf8') === lockOf(folder)

/** Runs one of its programs with node to completion. @throws when it fails. */
export async function printed(folder: string, program: string, ...args: string[]): Promise<unknown> {
  const child = Bun.spawn(['node', program, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  const output = await Bun.readableStreamToText(child.stdout)
  if ((await child.exited) !== 0) throw new Error(`${program} failed:\n${output}`)
  return JSON.parse(output)
}
