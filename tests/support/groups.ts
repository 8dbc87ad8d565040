import { availableParallelism } from 'node:os'
import { Glob } from 'bun'

/** Test files with the same limits. */
export interface Group {
  name: string
  files: string[]
  workers: number
  /** Default timeout of a test in milliseconds. */
  testTimeout: number
  /** Limit of the whole group in milliseconds. */
  deadline: number
  env: Record<string, string>
}

const second = 1000
const cores = availableParallelism()

/**
 * Tests wait for clocks, databases and servers as much as they compute: more of them than cores keep the cores busy.
 */
const limits = {
  main: { workers: cores + 2, testTimeout: 60 * second, deadline: 1200 * second, env: {} },
  browser: { workers: Math.max(2, cores), testTimeout: 45 * second, deadline: 1200 * second, env: {} },
  chaos: { workers: 1, testTimeout: 240 * second, deadline: 1200 * second, env: {} },
  /** They first install for minutes. */
  counterparts: { workers: 1, testTimeout: 60 * second, deadline: 1200 * second, env: {} },
}

const long = { workers: 1, testTimeout: 3600 * second, deadline: 4800 * second, env: { TEST_LONG: 'true' } }

/** Those of `tests/chaos` that keep every core busy: beside other tests they would make both late. */
const busiest = [
  'overshoot.test.ts',
  'payments.test.ts',
  'payment-events.test.ts',
  'invoices.test.ts',
  'hostile-media.test.ts',
  'renewals.test.ts',
]

/** Those of `tests/counterparts` whose program only has to be installed: they are part of every run. */
const quick = ['tests/counterparts/nats.test.ts']

/** Kinds of runs besides the usual one: long tests, or the networks' own servers and schemas. */
export type Only = 'long' | 'counterparts'

/** The parallel lanes of a run, each a sequence of groups. Paths or prefixes restrict it. */
export function lanes(paths: string[], only?: Only): Group[][] {
  const files = matching('tests/**/*.test.{ts,tsx}', paths)
  const of = (folder: string) => files.filter((file) => file.startsWith(`tests/${folder}/`))
  const [browser, chaos, counterparts] = [of('browser'), of('chaos'), of('counterparts')]
  const main = files.filter((file) => quick.includes(file) || ![browser, chaos, counterparts].flat().includes(file))
  const loading = chaos.filter((file) => busiest.some((name) => file.endsWith(`/${name}`)))
  const killing = chaos.filter((file) => !loading.includes(file))
  const real: Group = {
    name: 'counterparts',
    files: only ? counterparts : counterparts.filter((file) => !quick.includes(file)),
    ...limits.counterparts,
  }
  const chosen: Record<Only | 'usual', Group[][]> = {
    // Tests with killed servers mostly wait: the browsers run alongside them.
    usual: [
      [
        { name: 'main', files: main, ...limits.main },
        { name: 'load', files: loading, ...limits.chaos },
      ],
      [
        { name: 'chaos', files: killing, ...limits.chaos },
        { name: 'browser', files: browser, ...limits.browser },
      ],
    ],
    long: [[{ name: 'long', files: chaos, ...long }]],
    counterparts: [[real]],
  }
  // They are not part of every run: they install their own dependencies, some of which compile for minutes.
  if (process.env['TEST_COUNTERPARTS'] === 'true') chosen.usual.push([real])
  return chosen[only ?? 'usual']
    .map((groups) => groups.filter((group) => group.files.length > 0).map(withTimeScale))
    .filter((groups) => groups.length > 0)
}

// Read here: the runner measures it after it loaded patience.ts, and before it loads this file.
const timeScale = Number(process.env['TEST_PATIENCE'] ?? 1)

const withTimeScale = ({ testTimeout, deadline, workers, ...group }: Group): Group => ({
  ...group,
  // On a slow machine, more files at once are later than the bounds that they check.
  workers: timeScale > 1.5 ? Math.min(workers, cores + 1) : workers,
  testTimeout: Math.round(testTimeout * timeScale),
  deadline: Math.round(deadline * timeScale),
})

/** The benchmarks of `tests/bench`, each a separate program. */
export const benchFiles = (paths: string[]): string[] => matching('tests/bench/*.ts', paths)

function matching(pattern: string, paths: string[]): string[] {
  const wanted = paths.map((path) => path.replace(/^\.\//, ''))
  return [...new Glob(pattern).scanSync('.')]
    .filter((file) => !file.includes('/node_modules/'))
    .filter((file) => wanted.length === 0 || wanted.some((path) => file.startsWith(path)))
    .sort()
}
