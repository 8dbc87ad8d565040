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

export const user = 'atrium'
export const database = 'atrium'

interface NewCluster {
  folder: string
  password: string
  runner: Runner
  durable: boolean
}

/** Connections need a password, and are accepted from this machine only. */
const access = 'host all all 127.0.0.1/32 scram-sha-256\n'

/** In a draft folder that is renamed when complete, so that no partial cluster is left. @throws {StartupError} */
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
    // Tests use the same role to administer their clusters.
    `CREATE ROLE ${user} LOGIN ${durable ? '' : 'SUPERUSER'}`,
    passwordStatements(password),
    `CREATE DATABASE ${database} OWNER ${user}`,
  ]
  await runSingleUser(draft, runner, `${statements.join('\n')}\n`, durable)
  renameSync(draft, folder)
  removeDrafts(folder)
}

/** Removes drafts of interrupted starts. Called last, since initdb of a killed start can still be running for a moment. */
function removeDrafts(folder: string): void {
  const home = dirname(folder)
  const drafts = readdirSync(home).filter((name) => name.startsWith(`${basename(folder)}.new-`))
  for (const draft of drafts) rmSync(join(home, draft), { recursive: true, force: true })
}

/** For when `postgres.json` is missing. @throws {StartupError} */
export const resetPassword = (folder: string, password: string, runner: Runner): Promise<void> =>
  runSingleUser(folder, runner, `${passwordStatements(password)}\n`)

export const clusterExists = (folder: string): boolean => existsSync(join(folder, 'PG_VERSION'))

/** Changes the folder's owner to PostgreSQL's user, which can differ from the last start's. */
export function takeOwnership(folder: string, { owner }: Runner): void {
  if (owner === undefined || statSync(folder).uid === owner) return
  if (owner !== 0) chmodSync(dirname(folder), 0o711)
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    chownSync(join(folder, entry), owner, owner)
  chownSync(folder, owner, owner)
}

/** One iteration is enough for 256 random bits, and each connection pays for them. */
const passwordStatements = (password: string): string =>
  `SET scram_iterations = 1\nALTER ROLE ${user} PASSWORD '${password}'`

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
