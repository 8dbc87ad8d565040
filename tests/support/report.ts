import type { Tally } from './tally.ts'

/** A test of a report. */
export interface TestResult {
  file: string
  name: string
  outcome: 'passed' | 'failed' | 'skipped'
  /** Seconds. */
  seconds: number
}

/** Results of a group's tests. */
export interface Report extends Tally {
  tests: TestResult[]
  /** Files that the report doesn't contain. */
  silent: string[]
}

/**
 * Reads the JUnit report of `bun test`. A file that it doesn't contain could not be loaded, crashed its worker or has
 * no test: each counts as one failure.
 */
export function readReport(xml: string, files: string[]): Report {
  const tests = [...xml.matchAll(/<testcase ([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)].map(
    ([, head = '', body = '']) => resultOf(head, body),
  )
  const of = (outcome: TestResult['outcome']) => tests.filter((test) => test.outcome === outcome).length
  const named = new Set([...xml.matchAll(/<testsuite [^>]*\bfile="([^"]*)"/g)].map(([, file]) => file))
  const silent = files.filter((file) => !named.has(file))
  return { passed: of('passed'), failed: of('failed') + silent.length, skipped: of('skipped'), tests, silent }
}

function resultOf(head: string, body: string): TestResult {
  const attribute = (name: string) => unescape(new RegExp(`\\b${name}="([^"]*)"`).exec(head)?.[1] ?? '')
  const failed = /<(failure|error)[ />]/.test(body)
  const outcome = failed ? 'failed' : /<skipped[ />]/.test(body) ? 'skipped' : 'passed'
  return { file: attribute('file'), name: attribute('name'), outcome, seconds: Number(attribute('time')) }
}

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }
const unescape = (text: string): string =>
  text.replaceAll(/&(lt|gt|quot|apos|amp);/g, (_, name) => entities[name] ?? '')
