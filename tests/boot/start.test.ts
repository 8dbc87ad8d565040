import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePort } from '#lib/postgres/launch.ts'
import { administer, emptyDatabase, freshDatabase } from '../support/database.ts'
import { eventually, isAlive, killRest, ordinaryUser, run, type Program } from './program.ts'
import { scaleTime } from '../support/time-scale.ts'

const project = resolve(import.meta.dir, '..', '..')
const person = ordinaryUser()
const asWritten = [process.execPath, 'run', 'start']
const directly = [process.execPath, join('src', 'server.ts')]

let scratch = ''
let dataDir = ''
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'atrium-start-'))
  chmodSync(scratch, 0o777)
  dataDir = join(scratch, 'data')
})
afterAll(async () => {
  await killRest()
  rmSync(scratch, { recursive: true, force: true })
})

/** Starts Atrium on a free port without a terminal, LANG, HOME or other variables of this process. */
const start = (env: Record<string, string> = {}, command = directly): Program =>
  run(command, { cwd: project, env: { PORT: '0', DATA_DIR: dataDir, ...env } })

/** The printed URL, once the server reports that it is ready. */
async function readyAt(program: Program): Promise<string> {
  const [address] = await program.until(/http:\/\/[\w.-]+:\d+/)
  const ready = () =>
    fetch(`${address}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  expect(await eventually(ready)).toBe(true)
  return address
}

async function stop(program: Program, signal: NodeJS.Signals = 'SIGTERM'): Promise<number> {
  const limit = Bun.sleep(scaleTime(10_000)).then(() => -1)
  program.kill(signal)
  return Promise.race([program.exited, limit])
}

/** The exit status of a refused start, and all output. */
async function refusal(program: Program): Promise<{ status: number; said: string }> {
  const status = await program.exited
  return { status, said: program.output() }
}

const postmasterPid = (folder = dataDir): number =>
  Number.parseInt(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10)

test('PLT-02 PLT-32 start command serves from an empty folder, and SIGTERM stops it cleanly', async () => {
  const program = start({}, asWritten)
  const address = await readyAt(program)
  expect((await fetch(`${address}/healthz`)).status).toBe(200)
  const database = postmasterPid()
  expect(await stop(program)).toBe(0)
  expect(isAlive(database)).toBe(false)
})

test('PLT-02 SIGKILL of the start command ends the server too, and it restarts on the same address', async () => {
  const first = start({}, asWritten)
  const { port } = new URL(await readyAt(first))
  first.kill('SIGKILL')
  const second = start({ PORT: port }, asWritten)
  expect(new URL(await readyAt(second)).port).toBe(port)
  expect(await stop(second)).toBe(0)
})

test('PLT-03 server restarts after SIGKILL', async () => {
  const first = start()
  await readyAt(first)
  first.kill('SIGKILL')
  const second = start()
  await readyAt(second)
  expect(await stop(second)).toBe(0)
})

test('PLT-32 Ctrl-C reaches the server but not its database, and the server stops cleanly', async () => {
  const program = run(asWritten, { cwd: project, env: { PORT: '0', DATA_DIR: dataDir }, detached: true })
  await readyAt(program)
  process.kill(-program.pid, 'SIGINT')
  expect(await program.exited).toBe(0)
  expect(program.output()).not.toContain('PostgreSQL stopped unexpectedly')
})

test('PLT-32 SIGTERM stops the server within 10 s while a client never finishes its request', async () => {
  const program = start()
  const { port } = new URL(await readyAt(program))
  const caller = await Bun.connect({ hostname: '127.0.0.1', port: Number(port), socket: { data() {} } })
  caller.write(
    'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
  )
  await Bun.sleep(100)
  expect(await stop(program)).toBe(0)
  caller.end()
})

test('PLT-32 SIGTERM stops the server cleanly at the moment it becomes ready', async () => {
  const port = freePort()
  const program = start({ PORT: String(port) })
  const ready = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await ready())) await Bun.sleep(1)
  expect(await stop(program)).toBe(0)
})

test('PLT-32 SIGTERM during startup stops the server and its database cleanly', async () => {
  const running = () => existsSync(join(dataDir, 'postgres', 'postmaster.pid'))
  expect(running()).toBe(false)
  const program = start()
  expect(await eventually(running)).toBe(true)
  const database = postmasterPid()
  expect(await stop(program)).toBe(0)
  expect(isAlive(database)).toBe(false)
  expect(program.output()).not.toContain('Atrium is ready')
})

test('PLT-03 second server on a data folder is rejected with the first server’s process ID', async () => {
  const first = start()
  const address = await readyAt(first)
  const { status, said } = await refusal(start())
  expect(status).toBe(1)
  expect(said).toContain(`Another Atrium server (pid ${first.pid}) is using ${dataDir}`)
  expect(said).not.toContain('    at ')
  expect((await fetch(`${address}/readyz`)).status).toBe(200)
  await stop(first)
})

test('PLT-02 start on a used port fails with its number, and no database keeps running', async () => {
  const other = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const { status, said } = await refusal(start({ PORT: String(other.port) }))
  other.stop(true)
  expect(status).toBe(1)
  expect(said).toContain(`127.0.0.1:${other.port}`)
  expect(said).toContain('PORT')
  expect(said).not.toContain('    at ')
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
})

test('PLT-02 installation without a reachable registry reports the problem', async () => {
  const cwd = join(scratch, 'offline')
  mkdirSync(cwd)
  for (const file of ['package.json', 'bun.lock']) copyFileSync(join(project, file), join(cwd, file))
  cpSync(join(project, 'packages'), join(cwd, 'packages'), { recursive: true })
  const env = { NPM_CONFIG_REGISTRY: 'http://127.0.0.1:1/', BUN_INSTALL_CACHE_DIR: join(scratch, 'cache') }
  const { status, said } = await refusal(run(asWritten, { cwd, env }))
  expect(status).toBe(1)
  expect(said).toContain('error: ConnectionRefused')
})

test('PLT-02 printed URL reflects HOST and PORT', async () => {
  const program = start({ HOST: '0.0.0.0' })
  const { port } = new URL(await readyAt(program))
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
  await stop(program)
})

test('PLT-03 servers with DATABASE_URL start no embedded database, and share it when they start at the same time', async () => {
  const database = await emptyDatabase()
  const folder = join(scratch, 'external')
  const servers = [1, 2].map(() => start({ DATABASE_URL: database.url, DATA_DIR: folder }))
  await Promise.all(servers.map(readyAt))
  expect(existsSync(join(folder, 'postgres'))).toBe(false)
  expect(await Promise.all(servers.map((server) => stop(server)))).toEqual([0, 0])
  await database.drop()
})

test('PLT-03 unreachable database is reported without its password', async () => {
  const { status, said } = await refusal(start({ DATABASE_URL: 'postgres://atrium:secret@127.0.0.1:1/atrium' }))
  expect(status).toBe(1)
  expect(said).toContain('Can’t connect to PostgreSQL on 127.0.0.1:1, database "atrium"')
  expect(said).not.toContain('secret')
  expect(said).not.toContain('    at ')
})

test('PLT-03 unexpected startup error ends the process with a failure, and is logged once', async () => {
  const database = await freshDatabase()
  await administer(database.url, (sql) => sql`DROP TABLE platform.derivation_roots`)
  const { status, said } = await refusal(start({ DATABASE_URL: database.url, DATA_DIR: join(scratch, 'broken') }))
  expect(status).toBe(1)
  expect(said.match(/derivation_roots\\" does not exist/g)).toHaveLength(1)
  expect(said).toContain(`"stack":"    at `)
  await database.drop()
})

test('PLT-03 PLT-22 server whose SECRETS_KEY differs from the database’s is rejected', async () => {
  const database = await emptyDatabase()
  const first = start({ DATABASE_URL: database.url, SECRETS_KEY: '1'.repeat(64) })
  await readyAt(first)
  const { status, said } = await refusal(start({ DATABASE_URL: database.url, SECRETS_KEY: '2'.repeat(64) }))
  expect(status).toBe(1)
  expect(said).toContain('encrypted with another key')
  expect(said).not.toContain('    at ')
  await stop(first)
  await database.drop()
})

test.skipIf(!person)('PLT-02 ordinary user can start the server', async () => {
  const program = start({ DATA_DIR: join(scratch, 'person') }, [...(person ?? []), ...directly])
  await readyAt(program)
  expect(await stop(program)).toBe(0)
})

test('PLT-26 production start without configuration lists every missing value', async () => {
  const { status, said } = await refusal(start({ ATRIUM_ENV: 'production', PORT: 'abc' }))
  expect(status).toBe(1)
  for (const name of ['SECRETS_KEY', 'PORT']) expect(said).toContain(name)
  expect(said).not.toContain('    at ')
})
