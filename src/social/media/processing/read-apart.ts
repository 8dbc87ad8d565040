import type { z } from 'zod'
import { lowerPriority } from './priority.ts'

const timeoutMs = 30_000

interface Reading<Facts> {
  /** A script that gets a path, and writes JSON to its standard output or fails. */
  program: string
  path: string
  facts: z.ZodType<Facts>
}

/** Facts that nothing can have are unreadable too. Reads a file in a process of its own with an empty environment: files can make that slow or large. */
export async function readApart<Facts>({
  program,
  path,
  facts,
}: Reading<Facts>): Promise<Facts | 'late' | 'unreadable'> {
  const child = Bun.spawn([process.execPath, '--smol', program, path], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {},
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  })
  lowerPriority(child.pid)
  const [output] = await Promise.all([new Response(child.stdout).text(), child.exited])
  if (child.signalCode) return 'late'
  const read = child.exitCode === 0 ? facts.safeParse(JSON.parse(output)) : null
  return read?.success ? read.data : 'unreadable'
}
