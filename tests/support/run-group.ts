import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Group } from './groups.ts'
import { readReport, type Report } from './report.ts'

/** Milliseconds of each file: the slowest start first. UPDATE_TIMINGS writes it. */
const timings = 'tests/support/timings.json'

/** Runs a group's files with `bun test`; ends it and its processes on `stop` or at the group's deadline. */
export async function runGroup(group: Group, stop: AbortSignal, pattern?: string): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-report-'))
  const reportFile = join(folder, 'junit.xml')
  const status = await bunTest(group, reportFile, stop, pattern)
  const xml = await Bun.file(reportFile)
    .text()
    .catch(() => '')
  rmSync(folder, { recursive: true, force: true })
  const report = readReport(xml, group.files)
  for (const file of report.silent) console.log(`✗ ${file} gave no result: it crashed, hung, or holds no test`)
  if (status === 0 || report.failed > 0) return report
  console.log(`✗ ${group.name} ended with ${status} although no test failed: see above`)
  return { ...report, failed: 1 }
}

async function bunTest(group: Group, reportFile: string, stop: AbortSignal, pattern?: string): Promise<number> {
  const workers = Math.min(group.workers, group.files.length)
  const flags = [
    '--no-orphans',
    `--parallel=${workers}`,
    // A worker loads the server and its packages once for all its files: 0.3 s of processor time each.
    '--no-isolate',
    `--timeout=${group.testTimeout}`,
    '--only-failures',
    `--timings=${timings}`,
  ]
  if (process.env['UPDATE_TIMINGS'] === 'true') flags.push('--update-timings')
  if (pattern) flags.push('--test-name-pattern', pattern)
  const report = ['--reporter=junit', `--reporter-outfile=${reportFile}`]
  const files = group.files.map((file) => `./${file}`)
  return supervised([process.execPath, 'test', ...flags, ...report, ...files], group, stop)
}

/** Its exit status. A process that SIGTERM doesn't end within 10 s is killed. */
export async function supervised(
  command: string[],
  { name, deadline, env }: Pick<Group, 'name' | 'deadline' | 'env'>,
  stop: AbortSignal,
): Promise<number> {
  const child = Bun.spawn(command, { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } })
  const end = (reason: string) => {
    console.log(`✗ ${name} was stopped: ${reason}`)
    child.kill('SIGTERM')
    setTimeout(() => child.kill('SIGKILL'), 10_000).unref()
  }
  const interrupted = () => end('interrupted')
  stop.addEventListener('abort', interrupted)
  const timer = setTimeout(() => end(`it took longer than ${deadline / 1000} s`), deadline)
  const status = await child.exited
  clearTimeout(timer)
  stop.removeEventListener('abort', interrupted)
  return status
}
