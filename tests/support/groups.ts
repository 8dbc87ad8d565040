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
  main: { workers: Math.max(2, cores), testTimeout: 60 * second, deadline: 480 * second, env: {} },
  browser: { workers: Math.max(2, cores - 1), testTimeout: 45 * second, deadline: 420 * second, env: {} },
  /** They may install for minutes first. */
  counterparts: { workers: 1, testTimeout: 60 * second, deadline: 1200 * second, env: {} },
  chaos: { workers: 1, testTimeout: 240 * second, deadline: 300 * second, env: {} },
}

const longChaos = { ...limits.chaos, testTimeout: 3600 * second, deadline: 7200 * second, env: { TEST_CHAOS: 'long' } }

/** What a run is for, when it isn't everything: the long chaos, or real counterparts of networks. */
export type Only = 'chaos' | 'counterparts'

/** The groups of a run, without those that hold no file. Paths or beginnings of paths narrow it. */
export function groups(paths: string[], only?: Only): Group[] {
  const files = matching('tests/**/*.test.{ts,tsx}', paths)
  const of = (folder: string) => files.filter((file) => file.startsWith(`tests/${folder}/`))
  const [browser, chaos, counterparts] = [of('browser'), of('chaos'), of('counterparts')]
  const main = files.filter((file) => ![browser, chaos, counterparts].flat().includes(file))
  const real = { name: 'counterparts', files: counterparts, ...limits.counterparts }
  const all: Group[] = [
    { name: 'tests', files: main, ...limits.main },
    { name: 'browser', files: browser, ...limits.browser },
    { name: 'chaos', files: chaos, ...limits.chaos },
    // They are no part of every run: what they need is installed by itself, and some of it compiles for minutes.
    ...(process.env['TEST_COUNTERPARTS'] === 'true' ? [real] : []),
  ]
  const chosen = { chaos: [{ name: 'chaos, long', files: chaos, ...longChaos }], counterparts: [real] }
  return (only ? chosen[only] : all).filter((group) => group.files.length > 0)
}

/** The measurements of `tests/bench`, each a program of its own. */
export const benchFiles = (paths: string[]): string[] => matching('tests/bench/*.ts', paths)

function matching(pattern: string, paths: string[]): string[] {
  const wanted = paths.map((path) => path.replace(/^\.\//, ''))
  return [...new Glob(pattern).scanSync('.')]
    .filter((file) => !file.includes('/node_modules/'))
    .filter((file) => wanted.length === 0 || wanted.some((path) => file.startsWith(path)))
    .sort()
}
