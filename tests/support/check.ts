import { Glob } from 'bun'
import { inWords, isGreen, since, sum, type Tally } from './tally.ts'

interface Check {
  name: string
  /** Arguments to Bun. Programs of packages run with `--bun run`, which replaces the node that they require. */
  args: string[]
  env?: Record<string, string>
  /** What its output contains when it really ran: xss-scan exits with 0 when it crashes. */
  proof?: RegExp
}

/** The files and folders whose words are checked against docs/style.md. */
const plainWords = ['README.md', 'docs/', 'public/', 'src/', 'tests/', 'views/']

/** Everything with markup: the scan reads the imported types. */
const markup = [...new Glob('{src,views,tests}/**/*.tsx').scanSync('.')].sort()

const checks: Check[] = [
  { name: 'format', args: ['--no-script', 'fmt', '--check'] },
  { name: 'types', args: ['--no-script', 'check'] },
  { name: 'types of public/js', args: ['--no-script', 'check', '-p', 'public/js'] },
  { name: 'types of the service worker', args: ['--no-script', 'check', '-p', 'public/service-worker'] },
  // Its typed rules run in a Go program: fewer garbage collections save 2 s for 200 MB.
  { name: 'lint', args: ['--bun', 'run', 'oxlint', '--deny-warnings'], env: { GOGC: '400' } },
  {
    name: 'escaping',
    args: ['--bun', 'run', 'xss-scan', ...markup],
    proof: /No XSS vulnerabilities found in \d+ files/,
  },
  { name: 'words', args: ['tests/support/check-words.ts', ...plainWords] },
  { name: 'comments', args: ['tests/support/check-comments.ts'] },
  { name: 'dead code', args: ['--bun', 'run', 'knip', '--no-progress'] },
]

/** All static checks; each check counts as one. */
export async function runChecks(stop: AbortSignal): Promise<Tally> {
  const tallies: Tally[] = []
  for (const check of checks) if (!stop.aborted) tallies.push(await run(check, stop))
  return sum(tallies)
}

async function run({ name, args, env, proof = /^/ }: Check, stop: AbortSignal): Promise<Tally> {
  const start = performance.now()
  const child = Bun.spawn([process.execPath, '--no-orphans', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env, NO_COLOR: '1' },
    timeout: 300_000,
    signal: stop,
  })
  const output = (await Promise.all([child.stdout, child.stderr].map(Bun.readableStreamToText))).join('')
  const passed = (await child.exited) === 0 && proof.test(output)
  console.log(`${passed ? '✓' : '✗'} ${name} (${since(start)})`)
  if (!passed) console.log(output.trim() || `It ended with ${child.signalCode ?? child.exitCode} and said nothing.`)
  return { passed: Number(passed), failed: Number(!passed), skipped: 0 }
}

if (import.meta.main) {
  const tally = await runChecks(new AbortController().signal)
  console.log(inWords(tally))
  process.exit(isGreen(tally) ? 0 : 1)
}
