import { afterAll, beforeAll } from 'bun:test'
import { shapes } from '../../counterparts/mastodon-shapes.ts'
import { startMastodon, type MastodonCounterpart } from '../../counterparts/mastodon.ts'
import { faultOf } from '../../counterparts/wire/wire.ts'
import { failed, publishedOnce, signedOut, testOutcomes, throttledFor } from './support/outcomes.ts'
import { testUndividedGrant } from './support/partial-grant.ts'
import { openNetworkSite, type NetworkSite } from './support/site.ts'

let mastodon: MastodonCounterpart
let site: NetworkSite

beforeAll(async () => {
  mastodon = startMastodon()
  const { stop } = mastodon
  site = await openNetworkSite({ provider: 'mastodon', counterpart: { urls: {}, stop } })
})

afterAll(() => site.close())

let accounts = 0

async function connect() {
  const username = `acme${(accounts += 1)}`
  const consent = (url: string) => mastodon.consent(url, username)
  const { connectionId } = await site.connect(`${username}@${mastodon.host}`, consent, { instance: mastodon.url })
  return { username, connectionId, posts: () => mastodon.statuses(username).length }
}

testUndividedGrant('Mastodon', 'mastodon', 'since consent is to all permissions or none')

testOutcomes({
  network: 'Mastodon',
  site: () => site,
  counterpart: () => ({
    fail: (route, fault, times) =>
      mastodon.faults.next(
        route,
        faultOf(fault, (answered) => shapes[answered]()),
        times,
      ),
  }),
  route: 'POST /api/v1/statuses',
  connect,
  revoke: ({ username }) => mastodon.revoke(username),
  routes: { media_refused: 'POST /api/v2/media' },
  media: () => site.red(),
  outcomes: {
    ...publishedOnce,
    unauthorized: signedOut,
    expired_token: signedOut,
    revoked_token: signedOut,
    forbidden: failed(
      'action_blocked',
      'Check it there, then retry. (Mastodon responded with 403: Your login is currently disabled',
    ),
    rate_limited: throttledFor(600),
    media_refused: failed('media_refused', 'Replace it'),
    'server_error until the end': failed('provider_error', '503'),
  },
})
