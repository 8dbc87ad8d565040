import { existsSync, readFileSync } from 'node:fs'
import { scaleTime } from '../support/time-scale.ts'

/** A program under test: its output so far and its exit. */
export interface Program {
  pid: number
  /** Waits until the output matches; returns the match. @throws when the program exits before, or after 20 s. */
  until(pattern: RegExp): Promise<RegExpExecArray>
  output(): string
  kill(signal: NodeJS.Signals): void
  exited: Promise<number>
}

interface Options {
  env?: Record<string, string | undefined>
  cwd?: string
  /** In its own process group, which can be signalled as a terminal does. */
  detached?: boolean
  /** Where it prints, instead of to this process, whose time that would take. */
  file?: string
}

const running = new Set<Bun.Subprocess>()

/** Kills programs that failed tests left running. */
export async function killRest(): Promise<void> {
  for (const child of running) child.kill('SIGTERM')
  await Promise.all([...running].map((child) => child.exited))
}

/** Runs a program like a service: no terminal, stdin closed, and only the variables given here besides PATH. */
export function run(command: string[], { env = {}, cwd, detached = false, file }: Options = {}): Program {
  const child = Bun.spawn(command, {
    cwd,
    detached,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', file === undefined ? 'pipe' : Bun.file(file), 'pipe'],
  })
  running.add(child)
  let piped = ''
  const read = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder()
    for await (const bytes of stream) piped += decoder.decode(bytes, { stream: true })
  }
  const drained = Promise.all(
    [child.stdout, child.stderr].map((stream) => (typeof stream === 'object' ? read(stream) : null)),
  )
  const output = () => (file === undefined ? piped : readIfThere(file) + piped)
  return {
    pid: child.pid,
    until: (pattern) => waitFor(() => pattern.exec(output()), child, output),
    output,
    kill: (signal) => child.kill(signal),
    exited: child.exited.then(async (status) => {
      running.delete(child)
      await Promise.race([drained, Bun.sleep(200)])
      return status
    }),
  }
}

async function waitFor<Found>(find: () => Found | null, child: Bun.Subprocess, output: () => string): Promise<Found> {
  const deadline = Date.now() + scaleTime(60_000)
  for (;;) {
    const found = find()
    if (found) return found
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline)
      throw new Error(`The program did not get there. It printed:\n${output()}`)
    await Bun.sleep(10)
  }
}

/** Waits until a condition holds, at most `limit` milliseconds on an idle machine. */
export async function eventually(condition: () => boolean | Promise<boolean>, limit = 10_000): Promise<boolean> {
  const deadline = Date.now() + scaleTime(limit)
  while (!(await condition())) {
    if (Date.now() > deadline) return false
    await Bun.sleep(20)
  }
  return true
}

/** The same for a test that can't go on otherwise. @throws when the condition doesn't hold in time */
export async function waitUntil(condition: () => boolean | Promise<boolean>, limit = 10_000): Promise<void> {
  if (await eventually(condition, limit)) return
  throw new Error(`This does not hold after ${scaleTime(limit)} ms: ${condition.toString()}`)
}

/**
 * The words before a command that run it as an ordinary user, or `undefined` where that is impossible: root switches to
 * `uid`, which must be able to read this checkout and Bun.
 */
export function ordinaryUser(uid = 65534): string[] | undefined {
  if (process.getuid?.() !== 0) return []
  const stepDown = ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups']
  const reads = (path: string) => Bun.spawnSync([...stepDown, 'test', '-r', path]).success
  if (Bun.which('setpriv') && reads(process.execPath) && reads(import.meta.path)) return stepDown
  console.warn('Skipped: root cannot become an ordinary user that may read this checkout and Bun.')
  return undefined
}

/** Whether a process runs; a zombie doesn't count. */
export function isAlive(pid: number): boolean {
  const state =
    process.platform === 'linux'
      ? /^State:\s*(\S)/m.exec(readIfThere(`/proc/${pid}/status`))?.[1]
      : Bun.spawnSync(['ps', '-o', 'stat=', '-p', String(pid)])
          .stdout.toString()
          .trim()
  return Boolean(state) && !state?.startsWith('Z')
}

const readIfThere = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '')
