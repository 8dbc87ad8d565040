import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const stopTimeoutMs = 10_000

/** Also removes a stale `postmaster.pid`. Call it only while holding the folder's lock. */
export async function clearLeftovers(cluster: string, log: (message: string) => void): Promise<void> {
  const pid = postmaster(cluster)?.pid
  if (pid !== undefined && isServing(pid, cluster)) {
    log(`PostgreSQL is still running from a previous run (pid ${pid}) and is being stopped`)
    await stop(pid, cluster)
  }
  rmSync(join(cluster, 'postmaster.pid'), { force: true })
}

export function postmaster(cluster: string): { pid: number; state: string | undefined } | undefined {
  const lines = readIfThere(join(cluster, 'postmaster.pid')).split('\n')
  const pid = Number.parseInt(lines[0] ?? '', 10)
  return pid > 0 ? { pid, state: lines[7]?.trim() } : undefined
}

async function stop(pid: number, cluster: string): Promise<void> {
  const deadline = Date.now() + stopTimeoutMs
  signal(pid, 'SIGINT')
  while (isServing(pid, cluster)) {
    if (Date.now() > deadline) signal(pid, 'SIGKILL')
    await Bun.sleep(10)
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!isGone(error)) throw error
  }
}

/** The pid of a stale file can belong to another process now, or to a zombie, whose command line is empty. */
const isServing = (pid: number, cluster: string): boolean => commandLine(pid).includes(cluster)

const commandLine = (pid: number): string =>
  process.platform === 'linux'
    ? readIfThere(`/proc/${pid}/cmdline`)
    : Bun.spawnSync(['ps', '-o', 'command=', '-p', String(pid)]).stdout.toString()

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (isGone(error)) return ''
    throw error
  }
}

const isGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')
