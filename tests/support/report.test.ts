import { expect, test } from 'bun:test'
import { readReport } from './report.ts'
import { listFailures, listUnstable } from './summary.ts'

const xml = `
<testsuite name="tests/a.test.ts" file="tests/a.test.ts" tests="3">
  <testcase name="adds" time="0.1" />
  <testsuite name="inner" file="tests/a.test.ts"><testcase name="&lt;failure &gt;" classname="inner" /></testsuite>
  <testcase name="later"><skipped message="not yet" /></testcase>
</testsuite>
<testsuite name="tests/b.test.ts" file="tests/b.test.ts" tests="2">
  <testcase name="before" />
  <testcase name="(worker crashed)"><failure type="Error" message="worker process crashed" /></testcase>
</testsuite>`

test('report counts passed, failed and skipped tests', () => {
  const files = ['tests/a.test.ts', 'tests/b.test.ts']
  expect(readReport(xml, files)).toMatchObject({ passed: 3, failed: 1, skipped: 1, silent: [] })
})

test('report has the outcome of each test by its name', () => {
  const { tests } = readReport(xml, [])
  expect(tests.map(({ name, outcome }) => [name, outcome])).toEqual([
    ['adds', 'passed'],
    ['<failure >', 'passed'],
    ['later', 'skipped'],
    ['before', 'passed'],
    ['(worker crashed)', 'failed'],
  ])
})

test('failure is repeated at the end with the command that reruns it', () => {
  const failed = { file: 'tests/a.test.ts', name: 'a (new) test', outcome: 'failed', seconds: 1 } as const
  expect(listFailures([failed], undefined)).toContain(String.raw`  bun run test tests/a.test.ts -t 'a \(new\) test$'`)
  expect(listFailures([{ ...failed, outcome: 'passed' }], undefined)).toEqual([])
})

test('test that failed once is listed among the unstable ones', () => {
  const once = { file: 'tests/a.test.ts', name: 'a test', outcome: 'failed', seconds: 1 } as const
  expect(listUnstable([once]).join('\n')).toContain('! a test (tests/a.test.ts)')
  expect(listUnstable([])).toEqual([])
})

test('file without a result in the report has failed', () => {
  const files = ['tests/a.test.ts', 'tests/b.test.ts', 'tests/crashed.test.ts']
  expect(readReport(xml, files)).toMatchObject({ failed: 2, silent: ['tests/crashed.test.ts'] })
  expect(readReport('', ['tests/a.test.ts'])).toMatchObject({ passed: 0, failed: 1 })
})
