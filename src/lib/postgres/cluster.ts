import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { spawn, type Runner } from './binaries.ts'
import { clusterFailure } from './failure.ts'

/** The server's role there: it owns the database and is no superuser, so no SQL reaches files or programs. */
export const user = 'atrium'
export const database = 'atrium'

interface NewCluster {
  /** Where the cluster stands when it is complete. */
  folder: string
  password: string
  runner: Runner
  /** `false` skips every sync to disk: for throwaway folders. */
  durable: boolean
}

/** Only a password opens a connection, and only from this machine. */
const access = 'host all all 127.0.0.1/32 scram-sha-256\n'

/**
 * Makes the cluster with the database `atrium`, UTF-8 with the builtin C.UTF-8 locale wherever it runs.
 * It is made beside its place and moved there when complete, so an interrupted first start leaves nothing half.
 * @throws {StartupError}
 */
export async function createCluster({ folder, password, runner, durable }: NewCluster): Promise<void> {
  const draft = mkdtempSync(`${folder}.new-`)
  takeOwnership(draft, runner)
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  const sync = durable ? [] : ['--no-sync']
  await requireSuccess(
    folder,
    spawn('initdb', ['-D', draft, '-U', 'postgres', '-A', 'trust', ...locale, ...sync], runner),
  )
  writeFileSync(join(draft, 'pg_hba.conf'), access)
  const statements = [
    // Tests administer their throwaway clusters by the same role.
    `CREATE ROLE ${user} LOGIN ${durable ? '' : 'SUPERUSER'}`,
    passwordStatements(password),
    `CREATE DATABASE ${database} OWNER ${user}`,
  ]
  await runSingleUser(draft, runner, `${statements.join('\n')}\n`, durable)
  renameSync(draft, folder)
  removeDrafts(folder)
}

/** Drafts of interrupted starts. Only now: when such a start was killed, its initdb may have gone on for a moment. */
function removeDrafts(folder: string): void {
  const home = dirname(folder)
  const drafts = readdirSync(home).filter((name) => name.startsWith(`${basename(folder)}.new-`))
  for (const draft of drafts) rmSync(join(home, draft), { recursive: true, force: true })
}

/** Gives the cluster a password again when `postgres.json` is gone. @throws {StartupError} */
export const resetPassword = (folder: string, password: string, runner: Runner): Promise<void> =>
  runSingleUser(folder, runner, `${passwordStatements(password)}\n`)

export const clusterExists = (folder: string): boolean => existsSync(join(folder, 'PG_VERSION'))

/** Makes the user that PostgreSQL runs as the owner of its folder: root may have changed its way of stepping down. */
export function takeOwnership(folder: string, { owner }: Runner): void {
  if (owner === undefined || statSync(folder).uid === owner) return
  if (owner !== 0) chmodSync(dirname(folder), 0o711)
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    chownSync(join(folder, entry), owner, owner)
  chownSync(folder, owner, owner)
}

/** Rounds of hashing make guesses at a person's password expensive; this one is 256 random bits, and each connection pays for them. */
const passwordStatements = (password: string): string =>
  `SET scram_iterations = 1\nALTER ROLE ${user} PASSWORD '${password}'`

/** Runs statements, one a line, in PostgreSQL's single-user mode: no port is open meanwhile. */
async function runSingleUser(folder: string, runner: Runner, statements: string, durable = true): Promise<void> {
  const options = ['-c', 'exit_on_error=on', '-c', `fsync=${durable ? 'on' : 'off'}`, '-c', 'log_checkpoints=off']
  await requireSuccess(
    folder,
    spawn('postgres', ['--single', '-D', folder, ...options, 'postgres'], runner, statements),
  )
}

async function requireSuccess(folder: string, program: ReturnType<typeof spawn>): Promise<void> {
  const [output, status] = await Promise.all([new Response(program.stderr).text(), program.exited])
  if (status !== 0) throw clusterFailure(folder, output.trim())
}
