import { accessSync, chmodSync, constants, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { z } from 'zod'

export interface Chromium {
  executablePath: string
  env: Record<string, string>
}

const packed = fileURLToPath(new URL('../', import.meta.resolve('@sparticuz/chromium')))
const inflate = promisify(brotliDecompress)

/**
 * The Chromium of the npm package with its libraries and fonts, so that none of the machine's is used: unpacked once (3
 * s, 215 MB) and kept. `CHROMIUM_PATH` selects another one.
 */
export async function chromium(): Promise<Chromium> {
  const chosen = process.env['CHROMIUM_PATH']
  if (chosen) return { executablePath: chosen, env: {} }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('The Chromium that npm brings is for Linux on x64: set CHROMIUM_PATH to one on this machine.')
  }
  const folder = await unpacked()
  return {
    executablePath: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'lib'), FONTCONFIG_FILE: join(folder, 'fonts.conf') },
  }
}

/** Workers that start together each unpack; the first one to finish renames its folder. */
async function unpacked(): Promise<string> {
  const { version } = z.object({ version: z.string() }).parse(await Bun.file(join(packed, 'package.json')).json())
  const folder = join(cacheFolder(), `chromium-${version}`)
  if (existsSync(folder)) return folder
  const own = mkdtempSync(`${folder}-`)
  try {
    await unpackInto(own)
    renameSync(own, folder)
  } catch (error) {
    rmSync(own, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}

async function unpackInto(folder: string): Promise<void> {
  const read = async (name: string) => inflate(await Bun.file(join(packed, 'bin', name)).bytes())
  await Bun.write(join(folder, 'chromium'), await read('chromium.br'))
  for (const name of ['al2023.tar.br', 'fonts.tar.br']) await new Bun.Archive(await read(name)).extract(folder)
  await Bun.write(join(folder, 'fonts.conf'), fontsConf)
  chmodSync(join(folder, 'chromium'), 0o755)
  chmodSync(folder, 0o755)
}

/** The package's own check refers to folders of another system. */
const fontsConf = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts</dir></fontconfig>
`

/** Beside the packages; in the user's own temporary folder when they belong to another user. */
function cacheFolder(): string {
  const modules = join(import.meta.dir, '../../node_modules')
  const shared = isWritable(modules)
  const folder = shared ? join(modules, '.cache') : join(tmpdir(), `atrium-chromium-${process.getuid?.()}`)
  mkdirSync(folder, { recursive: true, mode: shared ? 0o755 : 0o700 })
  return folder
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}
