import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { eventually, isAlive, killRest, ordinaryUser, run, waitUntil, type Program } from './program.ts'

const linux = process.platform === 'linux'
const root = process.getuid?.() === 0
const person = ordinaryUser()
const holder = [process.execPath, join(import.meta.dir, 'hold-postgres.ts')]

let scratch = ''
let dataDir = ''
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'atrium-boot-'))
  chmodSync(scratch, 0o777)
  dataDir = join(scratch, 'data')
})
afterAll(async () => {
  await killRest()
  rmSync(scratch, { recursive: true, force: true })
})

const hold = (folder = dataDir, env: Record<string, string> = {}, mode = 'start', as: string[] = []): Program =>
  run([...as, ...holder, folder, mode], { env })

const urlOf = async (program: Program): Promise<string> => (await program.until(/^url: (.*)$/m))[1] ?? ''
const refusalOf = async (program: Program): Promise<string> => (await program.until(/^refused: ([^]*)$/m))[1] ?? ''

async function send<Row>(url: string, question: (sql: postgres.Sql) => Promise<Row>): Promise<Row> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  return question(sql).finally(() => sql.end())
}

async function stop(program: Program): Promise<number> {
  program.kill('SIGTERM')
  return program.exited
}

/** A PATH with only these programs. */
function onlyPrograms(...names: string[]): string {
  const folder = mkdtempSync(join(scratch, 'path-'))
  chmodSync(folder, 0o755)
  for (const name of names) {
    const found = Bun.which(name)
    if (found) symlinkSync(found, join(folder, name))
  }
  return folder
}

const postmasterPid = (folder = dataDir): number =>
  Number.parseInt(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10)

test('PLT-03 first start creates a durable UTF-8 database that requires its password', async () => {
  const program = hold()
  const url = await urlOf(program)
  const [row] = await send(
    url,
    (sql) => sql`
      SELECT current_database() AS database, pg_encoding_to_char(encoding) AS encoding, datlocprovider AS provider,
             datlocale AS locale, current_setting('fsync') AS fsync, current_setting('listen_addresses') AS listen
      FROM pg_database WHERE datname = current_database()`,
  )
  expect(row).toEqual({
    database: 'atrium',
    encoding: 'UTF8',
    provider: 'b',
    locale: 'C.UTF-8',
    fsync: 'on',
    listen: '127.0.0.1',
  })
  const guessed = new URL(url)
  guessed.password = 'guessed'
  await expect(send(guessed.href, (sql) => sql`SELECT 1`)).rejects.toMatchObject({ code: '28P01' })
  expect(statSync(join(dataDir, 'postgres.json')).mode & 0o777).toBe(0o600)
  expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  expect(await stop(program)).toBe(0)
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
})

test('PLT-03 PLT-22 SQL that the server runs can’t access files or programs on the machine', async () => {
  const program = hold()
  const url = await urlOf(program)
  for (const statement of [
    "COPY (SELECT 1) TO PROGRAM 'cat'",
    "SELECT pg_read_file('PG_VERSION')",
    'CREATE ROLE other',
  ])
    await expect(send(url, (sql) => sql.unsafe(statement))).rejects.toMatchObject({ code: '42501' })
  await stop(program)
})

test('PLT-03 second server on a data folder is rejected with the first server’s process ID, and the first keeps running', async () => {
  const first = hold()
  const url = await urlOf(first)
  const second = hold()
  expect(await refusalOf(second)).toContain(
    `Another Atrium server (pid ${first.pid}) is using ${dataDir}. Stop it, or set DATA_DIR or DATABASE_URL.`,
  )
  expect(await second.exited).toBe(1)
  expect(await send(url, (sql) => sql`SELECT 1 AS one`)).toMatchObject([{ one: 1 }])
  await stop(first)
})

test.skipIf(!linux)(
  'PLT-03 PostgreSQL stops when its server is killed, and committed rows survive the restart',
  async () => {
    const first = hold()
    const url = await urlOf(first)
    await send(url, (sql) => sql`CREATE TABLE kept AS SELECT 'here' AS word`)
    const child = postmasterPid()
    first.kill('SIGKILL')
    expect(await eventually(() => !isAlive(child), 2_000)).toBe(true)
    const second = hold()
    expect(await send(await urlOf(second), (sql) => sql`SELECT word FROM kept`)).toMatchObject([{ word: 'here' }])
    second.kill('SIGKILL')
    const atOnce = hold()
    expect(await send(await urlOf(atOnce), (sql) => sql`SELECT word FROM kept`)).toMatchObject([{ word: 'here' }])
    await stop(atOnce)
  },
)

test('PLT-03 PostgreSQL left by a killed server is stopped by the next start', async () => {
  const first = hold(dataDir, { PATH: onlyPrograms('unshare', 'true', 'ps') })
  await urlOf(first)
  const orphan = postmasterPid()
  first.kill('SIGKILL')
  await first.exited
  await Bun.sleep(200)
  expect(isAlive(orphan)).toBe(true)
  const second = hold()
  await urlOf(second)
  expect(second.output()).toContain(`PostgreSQL is still running from a previous run (pid ${orphan})`)
  expect(isAlive(orphan)).toBe(false)
  await stop(second)
})

test('PLT-03 killed PostgreSQL is restarted on the same address', async () => {
  const program = hold()
  const url = await urlOf(program)
  process.kill(postmasterPid(), 'SIGKILL')
  await program.until(/stopped unexpectedly/)
  const answers = () =>
    send(url, (sql) => sql`SELECT 1`).then(
      () => true,
      () => false,
    )
  expect(await eventually(answers)).toBe(true)
  expect(await stop(program)).toBe(0)
})

test('PLT-03 server starts after SIGKILL of both processes, with a pid file that names an unrelated process', async () => {
  const first = hold()
  await urlOf(first)
  const child = postmasterPid()
  first.kill('SIGKILL')
  process.kill(child, 'SIGKILL')
  await waitUntil(() => !isAlive(child))
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid')
  writeFileSync(pidFile, readFileSync(pidFile, 'utf8').replace(/^\d+/, String(process.pid)))
  const second = hold()
  await urlOf(second)
  expect(await stop(second)).toBe(0)
})

test('PLT-03 server starts without losing data when postgres.json is missing', async () => {
  rmSync(join(dataDir, 'postgres.json'))
  const program = hold()
  expect(await send(await urlOf(program), (sql) => sql`SELECT 1 AS one`)).toMatchObject([{ one: 1 }])
  await stop(program)
})

test('PLT-03 command uses the running database, or starts one for its duration if none is running', async () => {
  const server = hold()
  const url = await urlOf(server)
  const guest = hold(dataDir, {}, 'join')
  expect(await urlOf(guest)).toBe(url)
  await stop(guest)
  expect(await send(url, (sql) => sql`SELECT 1 AS one`)).toMatchObject([{ one: 1 }])
  await stop(server)

  const alone = hold(dataDir, {}, 'join')
  const child = (await urlOf(alone)) && postmasterPid()
  expect(await stop(alone)).toBe(0)
  expect(isAlive(Number(child))).toBe(false)
})

test('PLT-03 interrupted first start leaves no partial cluster', async () => {
  const folder = join(scratch, 'interrupted')
  const first = hold(folder, {}, 'volatile')
  const drafts = () => (existsSync(folder) ? readdirSync(folder).filter((name) => name.includes('.new')) : [])
  expect(await eventually(() => drafts().some((name) => existsSync(join(folder, name, 'PG_VERSION'))))).toBe(true)
  first.kill('SIGKILL')
  await first.exited
  const second = hold(folder, {}, 'volatile')
  expect(await send(await urlOf(second), (sql) => sql`SELECT 1 AS one`)).toMatchObject([{ one: 1 }])
  expect(drafts()).toEqual([])
  await stop(second)
})

describe('PLT-03 embedded database starts as', () => {
  const starts = async (folder: string, path: string | undefined, as: string[] = []) => {
    const program = hold(folder, path ? { PATH: path } : {}, 'volatile', as)
    expect(await send(await urlOf(program), (sql) => sql`SELECT 1 AS one`)).toMatchObject([{ one: 1 }])
    expect(await stop(program)).toBe(0)
  }

  test.skipIf(!person)('an ordinary user', () => starts(join(scratch, 'person'), undefined, person))

  test.skipIf(!person)('an ordinary user without unshare and setpriv', () =>
    starts(join(scratch, 'plain'), undefined, [...(person ?? []), 'env', `PATH=${onlyPrograms()}`]),
  )

  test.skipIf(!root || !linux)('root in a folder of mode 700', async () => {
    const home = join(scratch, 'home')
    mkdirSync(home, { mode: 0o700 })
    await starts(join(home, 'data'), undefined)
  })

  test.skipIf(!root || !person)('root without namespaces, then with them, on one folder', async () => {
    const folder = join(scratch, 'container')
    await starts(folder, onlyPrograms('setpriv', 'true'))
    expect(statSync(join(folder, 'postgres')).uid).toBe(65534)
    await starts(folder, undefined)
    expect(statSync(join(folder, 'postgres', 'base')).uid).toBe(0)
  })

  test.skipIf(!root)('root without a way to drop privileges: refused with a message', async () => {
    const program = hold(join(scratch, 'bare'), { PATH: onlyPrograms() })
    expect(await refusalOf(program)).toContain('Start Atrium as a regular user, or set DATABASE_URL')
    expect(await program.exited).toBe(1)
  })

  test.skipIf(!root || !person)('a user id without a passwd entry: refused with a message', async () => {
    const program = hold(join(scratch, 'nameless'), {}, 'start', ordinaryUser(54321))
    expect(await refusalOf(program)).toContain('The user ID 54321 has no entry in /etc/passwd')
    expect(await program.exited).toBe(1)
  })
})

describe('PLT-03 unusable data folder is rejected with instructions:', () => {
  test('a file is in its place', async () => {
    const file = join(scratch, 'file')
    writeFileSync(file, '')
    const program = hold(file)
    expect(await refusalOf(program)).toContain(`The data folder ${file} can’t be used`)
    expect(await program.exited).toBe(1)
  })

  test.skipIf(!person)('the user can’t write to it', async () => {
    const folder = join(scratch, 'locked')
    mkdirSync(folder)
    chmodSync(folder, 0o500)
    const program = hold(root ? '/etc/atrium' : folder, {}, 'start', person)
    expect(await refusalOf(program)).toContain('(EACCES). Make it writable for this user, or set DATA_DIR')
    expect(await program.exited).toBe(1)
  })

  test('its lock file is damaged', async () => {
    const folder = join(scratch, 'damaged')
    mkdirSync(folder, { mode: 0o700 })
    writeFileSync(join(folder, 'server.lock'), 'not a lock'.repeat(500))
    const program = hold(folder)
    expect(await refusalOf(program)).toContain(`The lock file ${join(folder, 'server.lock')} is damaged`)
    expect(await program.exited).toBe(1)
  })

  test('its cluster has a different PostgreSQL version', async () => {
    const folder = join(scratch, 'foreign')
    mkdirSync(join(folder, 'postgres'), { recursive: true, mode: 0o700 })
    writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '9.6\n')
    const program = hold(folder)
    expect(await refusalOf(program)).toContain(`couldn’t start in ${join(folder, 'postgres')}`)
    expect(await program.exited).toBe(1)
  })
})
