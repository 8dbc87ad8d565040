import { expect, test } from 'bun:test'
import { readCallRefusal as interpretBluesky } from '../../src/social/networks/bluesky/xrpc.ts'
import { interpretRefusal as interpretDiscord } from '../../src/social/networks/discord/refusal.ts'
import { interpretRefusal as interpretGraph } from '../../src/social/networks/graph/refusal.ts'
import { readRefusal } from '../../src/social/networks/http.ts'
import { interpretRefusal as interpretMastodon } from '../../src/social/networks/mastodon/refusal.ts'
import { interpretRefusal as interpretTikTok } from '../../src/social/networks/tiktok/refusal.ts'
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

const minute = 60_000
const limitedBy = (body: object, more: Record<string, string> = {}) =>
  Response.json(body, { status: 429, headers: more })
const ofMeta = { error: { message: 'Too many', code: 17 } }

test.each([
  ['X, by its window', () => interpretX(limitedBy({})), 15 * minute],
  ['X, by its header', () => interpretX(limitedBy({}, { 'retry-after': '7' })), 7_000],
  ['Mastodon, by its window', () => interpretMastodon(limitedBy({})), 5 * minute],
  ['Bluesky, by its window', () => interpretBluesky(limitedBy({})), 5 * minute],
  ['Discord, by its body', () => interpretDiscord(limitedBy({ retry_after: 64.57 })), 64_570],
  ['Facebook, by no header', () => interpretGraph('Facebook', limitedBy(ofMeta)), 5 * minute],
  ['Facebook, by Retry-After', () => interpretGraph('Facebook', limitedBy(ofMeta, { 'retry-after': '90' })), 90_000],
  ['TikTok, by its window', () => interpretTikTok(limitedBy({ error: { code: 'rate_limit_exceeded' } })), minute],
])('SOC-25 how long a post waits for %s', async (_, interpret, retryAfterMs) => {
  expect(await interpret()).toMatchObject({ kind: 'refused', code: 'rate_limited', retryAfterMs })
})
