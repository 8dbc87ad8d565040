import type { z } from 'zod'
import { lowerPriority } from './priority.ts'

const timeoutMs = 30_000

interface Reading {
  /** A script that gets a path, and writes to its standard output or fails. */
  program: string
  path: string
}

interface FactsReading<Facts> extends Reading {
  facts: z.ZodType<Facts>
}

/** What a program finds in a file, as JSON; facts that nothing can have are unreadable too. */
export async function readApart<Facts>({
  facts,
  ...reading
}: FactsReading<Facts>): Promise<Facts | 'late' | 'unreadable'> {
  const output = await runApart(reading)
  if (typeof output === 'string') return output
  const read = facts.safeParse(JSON.parse(new TextDecoder().decode(output)))
  return read.success ? read.data : 'unreadable'
}

/** Reads a file in a process of its own with an empty environment: files can make that slow or large. */
export async function runApart({ program, path }: Reading): Promise<Uint8Array<ArrayBuffer> | 'late' | 'unreadable'> {
  const child = Bun.spawn([process.execPath, '--smol', program, path], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {},
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  })
  lowerPriority(child.pid)
  const [output] = await Promise.all([new Response(child.stdout).bytes(), child.exited])
  if (child.signalCode) return 'late'
  return child.exitCode === 0 ? output : 'unreadable'
}
