import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Installs a counterpart's own packages, by node's npm: they aren't the product's, and some compile for minutes. */
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
  return folder
}

/** Whether what is installed is what the lock says. */
function isCurrent(folder: string): boolean {
  const made = join(folder, 'node_modules', '.package-lock.json')
  return existsSync(made) && statSync(made).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs
}

/** Runs one of its programs by node to its end. Throws unless it ends well. */
export async function printed(folder: string, program: string, ...args: string[]): Promise<unknown> {
  const child = Bun.spawn(['node', program, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  const output = await Bun.readableStreamToText(child.stdout)
  if ((await child.exited) !== 0) throw new Error(`${program} failed:\n${output}`)
  return JSON.parse(output)
}
