import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runChecks } from './check.ts'
import type { Group, Only } from './groups.ts'
import { measureTimeScale } from './time-scale.ts'
import { runGroup, supervised } from './run-group.ts'
import type { TestResult } from './report.ts'
import { listCounterparts, listFailures, listOutcomes, listSlowest, listUnstable } from './summary.ts'
import { scratchFolder } from './scratch.ts'
import { inWords, isGreen, since, sum, type Tally } from './tally.ts'

// `bun run test`: the checks and every test with one throwaway PostgreSQL. Paths restrict it to the tests under them,
// and `-t` to those with a matching name. `--long` runs long tests, `--counterparts` those with the networks' own
// servers and schemas, `--bench` the benchmarks. `--repeat-failed` runs the files of a few failed tests once more,
// alone, and lists those that pass then. docs/tests.md explains how tests are built.

const { values: chosen, positionals: paths } = parseArgs({
  options: {
    long: { type: 'boolean', default: false },
    counterparts: { type: 'boolean', default: false },
    bench: { type: 'boolean', default: false },
    'repeat-failed': { type: 'boolean', default: false },
    'test-name-pattern': { type: 'string', short: 't' },
  },
  allowPositionals: true,
})
const only: Only | undefined = chosen.long ? 'long' : chosen.counterparts ? 'counterparts' : undefined
const pattern = chosen['test-name-pattern']
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop.abort())

/** Above this time scale, a machine is slow or busy. */
const slowScale = 1.5
/** Maximum number of repeated files: when more fail, something is broken. */
const maxRepeated = 3
const tallies: Tally[] = []
const tests: TestResult[] = []
const times: string[] = []
let unstable: TestResult[] = []
await (chosen.bench ? runBenches() : runTests()).catch((error: unknown) => {
  console.error(error)
  tallies.push({ passed: 0, failed: 1, skipped: 0 })
})
const total = sum(tallies)
const failed = tests.filter((test) => test.outcome === 'failed' && !unstable.includes(test))
const lines = [...listSlowest(tests), ...listOutcomes(tests), ...listCounterparts(tests), ...times]
console.log([...lines, ...listUnstable(unstable), ...listFailures(failed, only)].join('\n'))
console.log(inWords(total))
process.exit(isGreen(total) && !stop.signal.aborted ? 0 : 1)

/** Lanes run in parallel, and the checks alongside them in a whole run; on a slow machine, one after the other. */
async function runTests(): Promise<void> {
  const { startTestPostgres } = await import('./postgres.ts')
  const [server, timeScale] = await Promise.all([startTestPostgres(), measureTimeScale()])
  const temporary = makeTemporaryFolder()
  try {
    process.env['TMPDIR'] = temporary
    process.env['TEST_PATIENCE'] = String(timeScale)
    // Test processes end before optimized compilation pays off: it would take a tenth of their processor time.
    process.env['BUN_JSC_useFTLJIT'] = '0'
    process.env['TEST_DATABASE_ADMIN_URL'] = server.adminUrl
    process.env['TEST_RUN_FOLDER'] = server.folder
    const isSlow = timeScale > slowScale
    if (isSlow) console.log(`This machine is slow or busy: limits are multiplied by ${timeScale}.`)
    const { lanes } = await import('./groups.ts')
    const found = lanes(paths, only)
    refuseStrange((path) => lanes([path], only).length > 0, 'test')
    const isWhole = paths.length === 0 && !only && !pattern
    const parts = [
      ...(isWhole ? [() => time('checks', () => runChecks(stop.signal))] : []),
      ...found.map((lane) => () => runLane(lane)),
    ]
    // Beside each other, lanes of a slow machine are later than the bounds that tests check.
    if (isSlow) for (const part of parts) await part()
    else await Promise.all(parts.map((part) => part()))
    if (chosen['repeat-failed']) unstable = await repeatFailed(found.flat())
  } finally {
    // A whole run leaves a large folder; a repetition is part of it.
    await server.stop(paths.length > 0)
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** For files that tests leave; other users can access it, since some tests run programs as one. */
function makeTemporaryFolder(): string {
  const folder = mkdtempSync(join(scratchFolder(), 'atrium-run-'))
  chmodSync(folder, 0o1777)
  return folder
}

async function runLane(groups: Group[]): Promise<void> {
  for (const group of groups)
    await time(group.name, async () => {
      const report = await runGroup(group, stop.signal, pattern)
      tests.push(...report.tests)
      return report
    })
}

/** Runs the files of failed tests again, one after the other. Returns the failed tests that pass now. */
async function repeatFailed(groups: Group[]): Promise<TestResult[]> {
  const failures = tests.filter(({ outcome }) => outcome === 'failed')
  const files = [...new Set(failures.map(({ file }) => file))]
  if (files.length > maxRepeated) return []
  const passing: TestResult[] = []
  for (const file of files) {
    const group = groups.find((each) => each.files.includes(file))
    if (!group || stop.signal.aborted) continue
    console.log(`\nRepeating ${file}`)
    const report = await runGroup({ ...group, files: [file] }, stop.signal, pattern)
    if (isGreen(report)) passing.push(...failures.filter((test) => test.file === file))
  }
  tallies.push({ passed: passing.length, failed: -passing.length, skipped: 0 })
  return passing
}

async function runBenches(): Promise<void> {
  const { benchFiles } = await import('./groups.ts')
  refuseStrange((path) => benchFiles([path]).length > 0, 'measurement')
  const { startTestPostgres } = await import('./postgres.ts')
  const server = await startTestPostgres()
  process.env['TEST_DATABASE_ADMIN_URL'] = server.adminUrl
  process.env['TEST_RUN_FOLDER'] = server.folder
  try {
    for (const name of benchFiles(paths))
      await time(name, async () => {
        const limits = { name, deadline: 1_800_000, env: {} }
        const status = await supervised([process.execPath, name], limits, stop.signal)
        return { passed: Number(status === 0), failed: Number(status !== 0), skipped: 0 }
      })
  } finally {
    await server.stop()
  }
}

/** A mistyped path must not look like a successful run. */
function refuseStrange(finds: (path: string) => boolean, kind: string): void {
  const strange = paths.filter((path) => !finds(path))
  if (strange.length > 0)
    throw new Error(`There is no ${kind} under ${strange.join(', ')}. Name a file or folder under tests.`)
}

async function time(name: string, run: () => Promise<Tally>): Promise<void> {
  if (stop.signal.aborted) return
  const start = performance.now()
  const tally = await run()
  tallies.push(tally)
  times.push(`${name}: ${inWords(tally)} (${since(start)})`)
}
