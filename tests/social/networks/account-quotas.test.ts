import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { AccountHistory, ConnectionDetails } from '#social/types'
import { quotasOf, windowOf } from '../../../src/social/networks/quotas.ts'
import { eventually } from '../../boot/program.ts'
import { startInstagram, type InstagramCounterpart } from '../../counterparts/instagram/index.ts'
import { administer } from '../../support/database.ts'
import { openNetworkSite, type NetworkSite } from './support/site.ts'

let instagram: InstagramCounterpart
let site: NetworkSite

beforeAll(async () => {
  instagram = startInstagram({ postsPerDay: 50 })
  const { app } = instagram
  site = await openNetworkSite({ provider: 'instagram', counterpart: instagram, app, imageType: 'jpeg' })
})
afterAll(() => site.close())

const read = (id: string) => site.ada.call<ConnectionDetails>('GET', `/api/accounts/${id}`)

test('SOC-46 limit that the network reported has its number, and the posts since', async () => {
  const account = instagram.account('acme')
  const { connectionId } = await site.connect(account.id, (url) => instagram.consent(url, account))
  const quota = async () => (await read(connectionId)).quotas[0]
  expect(await quota()).toMatchObject({ counts: 'posts', used: 0, total: 100, resetsAt: null, reportedAt: null })
  // Scheduling asks the network, and again only ten minutes later.
  await site.scheduleLater({ connectionId }, { text: 'Later', media: await site.red() })
  expect(await eventually(async () => (await quota())?.reportedAt !== null)).toBe(true)
  await site.publish({ connectionId }, { text: 'Hello', media: await site.red() })
  const counted = await quota()
  expect(counted).toMatchObject({ used: 1, total: 50 })
  expect(Date.parse(counted?.resetsAt ?? '')).toBeGreaterThan(Date.now() + 23 * 3_600_000)
  // Others published 39 posts with the network’s own app.
  await administer(site.databaseUrl, (sql) => sql`UPDATE social.account_checks SET checked_at = now(), quota_left = 10`)
  await site.publish({ connectionId }, { text: 'Once more', media: await site.red() })
  expect(await quota()).toMatchObject({ used: 41, total: 50, reportedAt: expect.stringMatching(/Z$/) })
})

test('SOC-10 consent with first comments is in the history, with the permission that was added', async () => {
  const account = instagram.account('opted.in')
  const answer = (url: string) => instagram.consent(url, account)
  const { connectionId } = await site.connect(account.id, answer)
  await site.connect(account.id, answer, { firstComments: true })
  const path = `/api/accounts/${connectionId}/history`
  expect((await site.ada.call<AccountHistory>('GET', path)).items).toMatchObject([
    { kind: 'permissions_changed', added: ['instagram_business_manage_comments'], removed: [] },
    { kind: 'reconnected' },
    { kind: 'connected', added: [] },
  ])
})

test('SOC-09 account whose owner removed the app says so in its history, once', async () => {
  const account = instagram.account('removed')
  const { connectionId } = await site.connect(account.id, (url) => instagram.consent(url, account))
  for (let calls = 0; calls < 2; calls++)
    await instagram.deauthorize(account, `${site.url}/callbacks/instagram/deauthorize`)
  const { items } = await site.ada.call<AccountHistory>('GET', `/api/accounts/${connectionId}/history`)
  expect(items.map(({ kind }) => kind)).toEqual(['disconnected', 'connected'])
})

test('SOC-46 count of a calendar day restarts at midnight of the network', () => {
  const [quota] = quotasOf({ provider: 'youtube', host: 'youtube', metadata: {} })
  if (!quota) throw new Error('YouTube has no limit')
  // The day on which the clocks change has 25 hours.
  const { from, resetsAt } = windowOf(quota, new Date('2026-11-01T20:00:00Z'))
  expect([from.toISOString(), resetsAt(null)?.toISOString()]).toEqual([
    '2026-11-01T07:00:00.000Z',
    '2026-11-02T08:00:00.000Z',
  ])
})

test.each([
  ['https://morel.us-east.host.bsky.network', 11_666],
  ['https://bsky.social', 11_666],
  ['https://pds.example.com', null],
  ['https://bsky.social.example.com', null],
])('SOC-46 Bluesky account on %s has the limit %p', (host, total) => {
  expect(quotasOf({ provider: 'bluesky', host, metadata: {} }).map((quota) => quota.total)).toEqual([total])
})
