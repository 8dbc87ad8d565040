import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Connection } from '#social/types'
import { shapes } from '../../counterparts/bluesky-shapes.ts'
import { appPassword, startBluesky, type BlueskyCounterpart } from '../../counterparts/bluesky.ts'
import { faultOf } from '../../counterparts/wire/wire.ts'
import { failed, publishedOnce, signedOut, testOutcomes, throttledFor } from './support/outcomes.ts'
import { openNetworkSite, type NetworkSite } from './support/site.ts'

let bluesky: BlueskyCounterpart
let site: NetworkSite

beforeAll(async () => {
  bluesky = startBluesky()
  const { stop, url } = bluesky
  const env = { BLUESKY_RESOLVER_URL: url, PLC_DIRECTORY_URL: url }
  site = await openNetworkSite({ provider: 'bluesky', counterpart: { urls: {}, stop }, env })
})

afterAll(() => site.close())

const create = 'com.atproto.repo.putRecord'
let accounts = 0

/** With an app password. */
async function connect() {
  const handle = `acme${(accounts += 1)}.example.com`
  const { did } = bluesky.account(handle)
  const form = { brandId: site.ada.brandId, handle, appPassword }
  const path = '/api/integrations/bluesky/connect'
  const { connection } = await site.ada.call<{ connection: Connection }>('POST', path, form, 201)
  return { did, connectionId: connection.id, posts: () => bluesky.posts(did).length }
}

test('SOC-23 image that Bluesky refuses with its post fails it with what to do', async () => {
  const account = await connect()
  const body = { error: 'InvalidMimeType', message: 'Wrong type of file. It is text/plain but it must match image/*.' }
  bluesky.faults.next(create, { kind: 'answer', status: 400, body })
  expect(await site.publish(account, { text: 'Unfit', media: await site.red() })).toMatchObject({
    status: 'failed',
    failureCode: 'media_refused',
    failureMessage: expect.stringContaining('Replace it'),
  })
})

testOutcomes({
  network: 'Bluesky',
  site: () => site,
  counterpart: () => ({
    fail: (route, fault, times) =>
      bluesky.faults.next(
        route,
        faultOf(fault, (answered) => shapes[answered]()),
        times,
      ),
  }),
  route: create,
  connect,
  revoke: ({ did }) => bluesky.revoke(did),
  routes: { media_refused: 'com.atproto.repo.uploadBlob' },
  media: () => site.red(),
  outcomes: {
    ...publishedOnce,
    revoked_token: signedOut,
    forbidden: failed('permission_missing', 'Connect the account again'),
    rate_limited: throttledFor(600),
    media_refused: failed('media_refused', 'Replace it'),
    'server_error until the end': failed('provider_error', '500'),
  },
})
