import type { Only } from './groups.ts'
import type { TestResult } from './report.ts'

/** The 20 files with the slowest tests, without hooks, as lines. */
export function listSlowest(tests: TestResult[]): string[] {
  const seconds = new Map<string, number>()
  for (const test of tests) seconds.set(test.file, (seconds.get(test.file) ?? 0) + test.seconds)
  const slowest = [...seconds].sort(([, one], [, other]) => other - one).slice(0, 20)
  if (seconds.size < 2) return []
  return ['\nSlowest files:', ...slowest.map(([file, time]) => `${time.toFixed(1).padStart(7)} s  ${file}`), '']
}

/** Every failed test again, with the command that repeats it alone. */
export function listFailures(tests: TestResult[], only: Only | undefined): string[] {
  const failed = tests.filter(({ outcome }) => outcome === 'failed')
  if (failed.length === 0) return []
  const command = only ? `test:${only}` : 'test'
  const repeat = ({ file, name }: TestResult) => `  bun run ${command} ${file} -t ${quoted(patternOf(name))}`
  return ['\nFailed:', ...failed.flatMap((test) => [`✗ ${test.name}`, repeat(test)]), '']
}

/**
 * The tests that failed once and passed when their file was repeated alone: faults of the test, or rare ones of the
 * product.
 */
export const listUnstable = (tests: TestResult[]): string[] =>
  tests.length === 0
    ? []
    : ['\nUnstable (failed, and passed alone):', ...tests.map(({ file, name }) => `! ${name} (${file})`), '']

/** A regular expression that matches the name literally. */
const patternOf = (name: string): string => `${name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`

/** Quoted as one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Third-party programs that tests can use, with the files that use each. */
const counterparts: [name: string, file: RegExp][] = [
  ['oidc-provider', /^tests\/identity\/(social-login|organization-sso)/],
  ['openid-client, oauth4webapi', /^tests\/identity\/openid/],
  ['MCP SDK client', /^tests\/platform\/mcp/],
  ['s3rver', /^tests\/(lib|platform)\/(storage|backup)/],
  ['smtp-server', /^tests\/platform\/mail\./],
  ['tus-js-client', /^tests\/social\/resumable-uploads/],
  ['ffmpeg', /^tests\/social\/videos/],
  ['nats-server', /^tests\/counterparts\/nats/],
  ['PgBouncer', /^tests\/boot\/pgbouncer/],
  ['Chromium with axe-core', /^tests\/browser\//],
  ['atproto PDS', /^tests\/counterparts\/bluesky/],
  ['Mastodon’s schema', /^tests\/counterparts\/mastodon/],
  ['Descriptions of X, Meta and YouTube', /^tests\/counterparts\/schemas/],
]

/** What becomes of a post under each condition of each network, as its tests prove it. */
export function listOutcomes(tests: TestResult[]): string[] {
  const rows = tests.flatMap(({ name, outcome }) => {
    const [, network = '', condition = '', end = ''] = /^SOC-23 SOC-25 ([^,:]+), ([^:]+): (.+)$/.exec(name) ?? []
    return network === '' || outcome === 'skipped'
      ? []
      : [{ network, condition, end, mark: outcome === 'passed' ? '✓' : '✗' }]
  })
  if (rows.length === 0) return []
  const width = Math.max(...rows.map(({ network, condition }) => network.length + condition.length))
  const lines = rows
    .toSorted((one, other) => one.network.localeCompare(other.network) || one.condition.localeCompare(other.condition))
    .map(({ network, condition, end, mark }) => `  ${mark} ${`${network}, ${condition}`.padEnd(width + 2)}  ${end}`)
  return ['Posts by network and condition:', ...lines, '']
}

/** Which of them were used in a whole run. */
export function listCounterparts(tests: TestResult[]): string[] {
  if (new Set(tests.map(({ file }) => file)).size < 50) return []
  const line = ([name, file]: (typeof counterparts)[number]) => {
    const own = tests.filter((test) => file.test(test.file) && test.outcome !== 'skipped')
    return `  ${name}: ${own.length > 0 ? `took part in ${own.length} tests` : 'did not take part'}`
  }
  return ['Real counterparts:', ...counterparts.map(line), '']
}
