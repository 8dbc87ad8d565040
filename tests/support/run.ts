import { parseArgs } from 'node:util'
import { runChecks } from './check.ts'
import { benchFiles, groups, type Only } from './groups.ts'
import { runGroup, supervised } from './run-group.ts'
import { inWords, isGreen, since, sum, type Tally } from './tally.ts'

// What `bun run test` runs: the checks, then every test beside one throwaway PostgreSQL. Paths narrow it to the
// tests under them; `--chaos` is the long chaos run, `--counterparts` the one against networks' own servers and schemas,
// `--bench` the measurements.

interface Part {
  name: string
  run(stop: AbortSignal): Promise<Tally>
}

const { values: chosen, positionals: paths } = parseArgs({
  options: {
    chaos: { type: 'boolean', default: false },
    counterparts: { type: 'boolean', default: false },
    bench: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const only: Only | undefined = chosen.chaos ? 'chaos' : chosen.counterparts ? 'counterparts' : undefined
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop.abort())

refuseStrangePaths()

const results: Tally[] = []
const lines: string[] = []
try {
  if (paths.length === 0 && !only && !chosen.bench) await run({ name: 'checks', run: runChecks })
  const parts = chosen.bench ? benches() : tests()
  if (parts.length > 0) await besidePostgres(parts)
} catch (error) {
  console.error(error)
  results.push({ passed: 0, failed: 1, skipped: 0 })
}
const total = sum(results)
console.log(`\n${lines.join('\n')}\n${inWords(total)}`)
process.exit(isGreen(total) && !stop.signal.aborted ? 0 : 1)

/** A mistyped path must not look like a run in which nothing failed. */
function refuseStrangePaths(): void {
  const finds = (path: string) => (chosen.bench ? benchFiles([path]) : groups([path], only)).length > 0
  const strange = paths.filter((path) => !finds(path))
  if (strange.length === 0) return
  const kind = chosen.bench ? 'measurement' : 'test'
  console.error(
    `There is no ${kind} under ${strange.join(', ')}. Name a file or folder, such as ${chosen.bench ? 'tests/bench/posts.ts' : 'tests/social'}.`,
  )
  process.exit(2)
}

function tests(): Part[] {
  return groups(paths, only).map((group) => ({ name: group.name, run: (signal) => runGroup(group, signal) }))
}

function benches(): Part[] {
  return benchFiles(paths).map((name) => ({
    name,
    run: async (signal) => {
      const status = await supervised([process.execPath, name], { name, deadline: 1_800_000, env: {} }, signal)
      return { passed: Number(status === 0), failed: Number(status !== 0), skipped: 0 }
    },
  }))
}

/** Loads the product's code as late as here, so that a mistake in it is reported like any other. */
async function besidePostgres(parts: Part[]): Promise<void> {
  const { startTestPostgres } = await import('./postgres.ts')
  const server = await startTestPostgres()
  try {
    process.env['TEST_DATABASE_ADMIN_URL'] = server.adminUrl
    process.env['TEST_RUN_FOLDER'] = server.folder
    for (const part of parts) await run(part)
  } finally {
    await server.stop(paths.length > 0)
  }
}

async function run(part: Part): Promise<void> {
  if (stop.signal.aborted) return
  const start = performance.now()
  const tally = await part.run(stop.signal)
  results.push(tally)
  lines.push(`${part.name}: ${inWords(tally)} (${since(start)})`)
}
