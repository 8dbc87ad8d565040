import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { findRunner } from '#lib/postgres/binaries.ts'
import { eventually } from '../boot/program.ts'

/** Debian's PgBouncer; null where it is not installed. */
export const pgbouncer = Bun.which('pgbouncer', { PATH: `${process.env['PATH']}:/usr/sbin` })

/** A PgBouncer in transaction mode. */
export interface PgBouncer {
  /** The URL of the database through it. */
  url: string
  stop(): Promise<void>
}

/** Starts one in front of a database, with so few connections that clients must share them. */
export async function startPgBouncer(program: string, url: string, connections: number): Promise<PgBouncer> {
  const { hostname, port, username, password, pathname } = new URL(url)
  const folder = mkdtempSync(join(tmpdir(), 'atrium-pgbouncer-'))
  const own = freePort()
  const at = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`
  const file = join(folder, 'pgbouncer.ini')
  await Bun.write(
    file,
    `[databases]\n${pathname.slice(1)} = ${at}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 200
`,
  )
  // Like PostgreSQL, it refuses to run as root.
  const child = Bun.spawn([...findRunner().prefix, program, '-q', file], { stdio: ['ignore', 'ignore', 'ignore'] })
  const stop = async () => {
    child.kill('SIGKILL')
    await child.exited
    rmSync(folder, { recursive: true, force: true })
  }
  const through = `postgres://${username}@127.0.0.1:${own}${pathname}`
  if (await eventually(() => answers(through), 20_000)) return { url: through, stop }
  await stop()
  throw new Error('PgBouncer doesn’t respond')
}

async function answers(url: string): Promise<boolean> {
  const sql = postgres(url, { max: 1, prepare: false, connect_timeout: 1 })
  return sql`SELECT 1`
    .then(
      () => true,
      () => false,
    )
    .finally(() => sql.end({ timeout: 0 }))
}

function freePort(): number {
  const server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => {} } })
  const { port } = server
  server.stop(true)
  return port
}
