import type { Tally } from './tally.ts'

/** Results of a group's tests, and the files of which the report knows nothing. */
export interface Report extends Tally {
  silent: string[]
}

/**
 * Reads the JUnit report that `bun test` writes. A file that it doesn't name could not be loaded, took its worker
 * along or holds no test: each counts as one failure.
 */
export function readReport(xml: string, files: string[]): Report {
  const failed = count(xml, /<(failure|error)[ />]/g)
  const skipped = count(xml, /<skipped[ />]/g)
  const named = new Set([...xml.matchAll(/<testsuite [^>]*\bfile="([^"]*)"/g)].map(([, file]) => file))
  const silent = files.filter((file) => !named.has(file))
  const passed = count(xml, /<testcase /g) - failed - skipped
  return { passed, failed: failed + silent.length, skipped, silent }
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0
