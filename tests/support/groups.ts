import { availableParallelism } from 'node:os'
import { Glob } from 'bun'

/** Test files that run under the same limits. */
export interface Group {
  name: string
  files: string[]
  workers: number
  /** What a test may take that doesn't say so itself, in milliseconds. */
  testTimeout: number
  /** What the whole group may take before it is stopped, in milliseconds. */
  deadline: number
  env: Record<string, string>
}

const second = 1000
const cores = availableParallelism()

/** Browsers and killed servers are many processes each: they get fewer workers than the cores could take. */
const limits = {
  main: { workers: Math.max(2, cores), testTimeout: 15 * second, deadline: 300 * second, env: {} },
  browser: { workers: Math.max(2, cores - 1), testTimeout: 45 * second, deadline: 420 * second, env: {} },
  chaos: { workers: 1, testTimeout: 240 * second, deadline: 300 * second, env: {} },
}

const longChaos = { ...limits.chaos, testTimeout: 3600 * second, deadline: 7200 * second, env: { TEST_CHAOS: 'long' } }

/** The groups of a run, without those that hold no file. Paths or beginnings of paths narrow it. */
export function groups(paths: string[], chaosOnly: boolean): Group[] {
  const files = matching('tests/**/*.test.{ts,tsx}', paths)
  const of = (folder: string) => files.filter((file) => file.startsWith(`tests/${folder}/`))
  const [browser, chaos] = [of('browser'), of('chaos')]
  const main = files.filter((file) => !browser.includes(file) && !chaos.includes(file))
  const all: Group[] = chaosOnly
    ? [{ name: 'chaos, long', files: chaos, ...longChaos }]
    : [
        { name: 'tests', files: main, ...limits.main },
        { name: 'browser', files: browser, ...limits.browser },
        { name: 'chaos', files: chaos, ...limits.chaos },
      ]
  return all.filter((group) => group.files.length > 0)
}

/** The measurements of `tests/bench`, each a program of its own. */
export const benchFiles = (paths: string[]): string[] => matching('tests/bench/*.ts', paths)

function matching(pattern: string, paths: string[]): string[] {
  const wanted = paths.map((path) => path.replace(/^\.\//, ''))
  return [...new Glob(pattern).scanSync('.')]
    .filter((file) => wanted.length === 0 || wanted.some((path) => file.startsWith(path)))
    .sort()
}
