import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, run, type Program } from '../boot/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-nats-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

/** The path of nats-server: the installed one, else Debian's package, unpacked. Null where neither can be had. */
export async function findNats(): Promise<string | null> {
  const installed = Bun.which('nats-server')
  if (installed) return installed
  const unpack = 'apt-get download -qq nats-server && dpkg -x nats-server_*.deb .'
  const child = Bun.spawn(['sh', '-c', unpack], { cwd: folder, stdio: ['ignore', 'ignore', 'ignore'] })
  return (await child.exited.catch(() => 1)) === 0 ? join(folder, 'usr/sbin/nats-server') : null
}

/** With JetStream, which keeps its files between starts. */
export async function startNats(program: string, port: number): Promise<Program> {
  const options = ['--jetstream', '--store_dir', join(folder, 'store'), '--addr', '127.0.0.1', '--port', String(port)]
  const server = run([program, ...options])
  if (!(await eventually(() => server.output().includes('Server is ready')))) throw new Error(server.output())
  return server
}

/** A port that nothing uses now. */
export function freePort(): number {
  const server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => {} } })
  const { port } = server
  server.stop(true)
  return port
}
