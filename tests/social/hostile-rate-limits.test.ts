import { expect, test } from 'bun:test'
import { readRefusal } from '../../src/social/networks/http.ts'

const week = 7 * 24 * 60 * 60 * 1000
const now = new Date('2026-01-01T00:00:00Z')

const headers = [
  ['retry-after', '9'.repeat(30), week],
  ['retry-after', '31536000', week],
  ['retry-after', 'Fri, 31 Dec 9999 23:59:59 GMT', week],
  ['ratelimit-reset', '9'.repeat(30), week],
  ['x-ratelimit-reset', '+275760-09-13T00:00:00.000Z', week],
  ['retry-after', '604799', week - 1000],
  ['retry-after', 'Thu, 01 Jan 1970 00:00:00 GMT', 0],
] as const

test.each(headers)('SOC-25 limit of "%s: %s" applies for 7 days at most', async (name, value, retryAfterMs) => {
  const answer = new Response(null, { status: 429, headers: { [name]: value, date: now.toUTCString() } })
  expect(await readRefusal('Mastodon', answer)).toMatchObject({ code: 'rate_limited', retryAfterMs })
})
