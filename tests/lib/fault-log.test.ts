import { expect, test } from 'bun:test'
import { logFault } from '#lib/log/fault.ts'
import { createLog, type Log } from '#lib/log.ts'

function kept(): { log: Log; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = []
  return { log: createLog('info', false, (line) => lines.push(JSON.parse(line))), lines }
}
const lost = (detail: string) => Object.assign(new Error(`write ${detail}`), { code: 'ECONNRESET' })

test('PLT-33 outage is logged once for each kind of work, regardless of how many statements fail', () => {
  const { log, lines } = kept()
  for (let nth = 0; nth < 500; nth++) {
    logFault(log, 'failed', new Error('a query failed', { cause: lost(`${nth}`) }), { request: nth })
    logFault(log, 'queue', lost('x'))
  }
  expect(lines.map(({ message, error }) => [message, error])).toEqual([
    ['failed', 'write 0 (ECONNRESET)'],
    ['queue', 'write x (ECONNRESET)'],
  ])
})

test('PLT-33 errors of other kinds and requests are each logged', () => {
  const { log, lines } = kept()
  for (const request of [1, 2]) logFault(log, 'failed', new Error('no'), { request })
  logFault(log, 'job failed', new Error('no'), { request: 1 })
  expect(lines.map(({ message, request }) => [message, request])).toEqual([
    ['failed', 1],
    ['failed', 2],
    ['job failed', 1],
  ])
})

test('PLT-33 repeated error is logged for at most ten requests per path', () => {
  const { log, lines } = kept()
  for (let request = 0; request < 500; request++) logFault(log, 'failed', new Error('no'), { request, path: '/api/me' })
  expect(lines.map(({ request }) => request)).toEqual(Array.from({ length: 10 }, (_, at) => at))
  logFault(log, 'failed', new Error('no'), { request: 500, path: '/api/other' })
  expect(lines).toHaveLength(11)
})

test('PLT-33 plain error object of pg-boss is logged with its message', () => {
  const { log, lines } = kept()
  logFault(log, 'queue', {
    name: 'PostgresError',
    message: 'relation "x" does not exist',
    code: '42P01',
    queue: 'mail',
  })
  logFault(log, 'queue', { message: 'terminating connection', code: '57P01', severity: 'FATAL' })
  expect(lines.map(({ error }) => error)).toEqual(['relation "x" does not exist', 'terminating connection (57P01)'])
})
