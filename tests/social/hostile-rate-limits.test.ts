import { expect, test } from 'bun:test'
import { interpretRefusal as interpretGraph } from '../../src/social/networks/graph/refusal.ts'
import { readRefusal } from '../../src/social/networks/http.ts'
import { interpretRefusal as interpretX } from '../../src/social/networks/x/api.ts'

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

test('SOC-25 limits of an app at X and Meta apply for 7 days at most', async () => {
  const daily = { 'x-app-limit-24hour-remaining': '0', 'x-app-limit-24hour-reset': '9'.repeat(200) }
  const ofX = await interpretX(new Response(null, { status: 429, headers: daily }))
  expect(ofX).toMatchObject({ code: 'rate_limited', limitOf: 'app', retryAfterMs: week })
  const usage = JSON.stringify({ 1: [{ estimated_time_to_regain_access: 1e300 }] })
  const error = { error: { message: 'Too many', code: 4 } }
  const ofMeta = await interpretGraph(
    'Facebook',
    Response.json(error, { status: 403, headers: { 'x-business-use-case-usage': usage } }),
  )
  expect(ofMeta).toMatchObject({ code: 'rate_limited', limitOf: 'app', retryAfterMs: week })
})
