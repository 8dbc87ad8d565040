import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { run, type Program } from '../../boot/program.ts'

const version = '1.15.2'

/** Portkey’s gateway from npm, in a folder of its own; null when it can’t be installed. */
export async function installPortkey(folder: string): Promise<string | null> {
  mkdirSync(folder, { recursive: true })
  await Bun.write(join(folder, 'package.json'), '{"private":true}')
  const { PATH = '', HOME = folder } = process.env
  const install = Bun.spawnSync(
    [process.execPath, 'add', '--ignore-scripts', '--no-summary', `@portkey-ai/gateway@${version}`],
    { cwd: folder, env: { PATH, HOME }, stdio: ['ignore', 'ignore', 'pipe'], timeout: 120_000 },
  )
  if (install.success) return join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js')
  console.log(install.stderr.toString().trim())
  return null
}

/** It listens on all addresses. */
export async function startPortkey(program: string, port: number): Promise<Program & { url: string }> {
  const server = run([process.execPath, program, '--headless', `--port=${port}`], { env: { NODE_ENV: 'production' } })
  const url = `http://127.0.0.1:${port}`
  for (let left = 200; left > 0; left--) {
    const isUp = await fetch(url).then(
      async (response) => response.arrayBuffer().then(() => true),
      () => false,
    )
    if (isUp) return { ...server, url }
    await Bun.sleep(50)
  }
  throw new Error(`Portkey’s gateway did not start:\n${server.output()}`)
}
