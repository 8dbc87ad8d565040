import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Connection } from '#social/types'
import type { Member, Organization } from '../../counterparts/linkedin/directory.ts'
import { startLinkedIn, type LinkedInCounterpart } from '../../counterparts/linkedin/index.ts'
import { inMs, isSettled, newPublisher, type Post } from '../../support/publisher.ts'
import { comeBack, connectAgain, drawPage, fetchPage } from './support/connect.ts'
import { failed, limitedForADay, publishedOnce, signedOut, testOutcomes } from './support/outcomes.ts'
import { testPartialGrant } from './support/partial-grant.ts'
import { openNetworkSite, type NetworkSite } from './support/site.ts'

let linkedin: LinkedInCounterpart
let site: NetworkSite

beforeAll(async () => {
  linkedin = startLinkedIn({ isPartner: true })
  site = await openNetworkSite({ provider: 'linkedin-page', counterpart: linkedin, app: linkedin.apps.page })
})

afterAll(() => site.close())

const create = 'api POST /rest/posts'
let pages = 0

/** Consents, and returns the URL of the page on which a person chooses. */
const consent = (member: Member, without: string[] = []): Promise<URL> =>
  site.consent((url) => linkedin.consent(url, member, { without }))

async function connect() {
  const member = linkedin.directory.member(`Ada ${(pages += 1)}`)
  const page = linkedin.directory.organization(`Acme ${pages}`, member)
  const { connections } = await site.choose(await consent(member), [page.id])
  const connectionId = connections[0]?.id ?? ''
  return { member, page, connectionId, posts: () => linkedin.posts(page).length }
}

test('SOC-05 SOC-06 chosen Pages of a member are connected, and no others', async () => {
  const member = linkedin.directory.member('Jonas Brandt')
  const [berlin, hamburg] = ['Acme Berlin', 'Acme Hamburg'].map((name) =>
    linkedin.directory.organization(name, member),
  ) as [Organization, Organization]
  const readOnly = linkedin.directory.organization('Kiezfest')
  linkedin.directory.assign(member, readOnly, 'ANALYST')
  const at = await consent(member)
  const page = await drawPage(site.ada, at)
  for (const text of ['Acme Berlin', 'Acme Hamburg', 'Kiezfest', 'Your role can’t publish'])
    expect(page).toContain(text)
  const { connections } = await site.choose(at, [berlin.id])
  expect(connections).toMatchObject([{ health: 'ok', account: { id: berlin.id, name: 'Acme Berlin' } }])
  const { items } = await site.ada.call<{ items: Connection[] }>('GET', '/api/accounts?provider=linkedin-page')
  expect(items.some(({ account }) => account.id === hamburg.id)).toBe(false)
})

test('SOC-05 choice is used once, by the person who consented, for what was offered', async () => {
  const member = linkedin.directory.member('Once')
  const page = linkedin.directory.organization('Once Inc', member)
  const readOnly = linkedin.directory.organization('Read only')
  linkedin.directory.assign(member, readOnly, 'ANALYST')
  const at = await consent(member)
  const bob = await newPublisher(site.url)
  expect(await site.choose(at, [page.id], 409, bob)).toMatchObject({ code: 'choice_expired' })
  const message = 'Choose only accounts that can be connected.'
  for (const targets of [[readOnly.id], ['404']])
    expect(await site.choose(at, targets, 422)).toMatchObject({ errors: [{ path: 'targets', message }] })
  await site.choose(at, [page.id])
  expect(await site.choose(at, [page.id], 409)).toMatchObject({ code: 'choice_expired' })
  const expired = await fetchPage(site.ada, at)
  expect([expired.status, expired.headers.get('location')]).toEqual([303, expect.stringContaining('expired')])
})

test('SOC-05 Page that a new consent leaves out is named and stays connected', async () => {
  const { member, page, connectionId } = await connect()
  linkedin.directory.dismiss(member, page)
  const other = linkedin.directory.organization('Another', member)
  const at = await consent(member)
  expect(await drawPage(site.ada, at)).toContain(page.name)
  await site.choose(at, [other.id])
  expect(await site.ada.call<Connection>('GET', `/api/accounts/${connectionId}`)).toMatchObject({ active: true })
})

test('SOC-05 consent of a member without a role in a Page says so, and is begun again from there with another account', async () => {
  const [none, member] = ['Without a role', 'With a role'].map((name) => linkedin.directory.member(name)) as [
    Member,
    Member,
  ]
  const page = linkedin.directory.organization('Role Inc', member)
  const drawn = await drawPage(site.ada, await consent(none))
  expect(drawn).toContain('LinkedIn lists no Page in which you have a role.')
  const at = await comeBack(site.ada, linkedin.consent(await connectAgain(site.ada, drawn), member, {}))
  expect(await drawPage(site.ada, at)).toContain(page.name)
})

test('SOC-05 canceled and partial consent connect nothing and are explained', async () => {
  const member = linkedin.directory.member('Partial')
  const led = await consent(member, ['w_organization_social'])
  expect([led.searchParams.get('unconnected'), led.searchParams.get('missing')]).toEqual([
    'partial',
    'w_organization_social',
  ])
})

test('SOC-06 SOC-24 post of a Page is published as the Page, and found again after a lost response', async () => {
  const account = await connect()
  linkedin.fail(create, 'connection_lost')
  const post = await site.publish(account, { text: 'Fresh #coffee (today)' })
  const [shown] = linkedin.posts(account.page)
  expect(shown).toMatchObject({ author: account.page.urn, text: 'Fresh #coffee (today)' })
  expect(post).toMatchObject({ status: 'published', platformPostId: shown?.urn })
  expect(account.posts()).toBe(1)
})

test('SOC-06 post of a profile that targets an organization is published as its connected Page', async () => {
  const { page, connectionId } = await connect()
  const draft = { brandId: site.ada.brandId, provider: 'linkedin', text: 'From the company' }
  const wanted = { ...draft, status: 'scheduled', scheduledAt: inMs(350) }
  const refused = await site.ada.call<{ detail: string }>(
    'POST',
    '/api/posts',
    { ...wanted, target: { organizationId: '404' } },
    422,
  )
  expect(refused.detail).toContain('LinkedIn Page')
  const { id } = await site.ada.call<Post>(
    'POST',
    '/api/posts',
    { ...wanted, target: { organizationId: page.id } },
    201,
  )
  const post = await site.ada.until(id, isSettled, 30_000)
  expect(post).toMatchObject({ status: 'published', provider: 'linkedin-page' })
  expect(linkedin.posts(page)).toMatchObject([{ author: page.urn, text: 'From the company' }])
  const targets = [
    { provider: 'linkedin', target: { organizationId: page.id } },
    { provider: 'linkedin-page', target: { connectionId } },
  ]
  const { brandId, text } = draft
  await site.ada.call('POST', '/api/posts', { brandId, text, targets }, 422)
})

test('SOC-23 post of a Page whose role was taken away fails with what to do', async () => {
  const account = await connect()
  linkedin.directory.dismiss(account.member, account.page)
  const post = await site.publish(account, { text: 'Too late' })
  expect(post).toMatchObject({ status: 'failed', failureCode: 'permission_missing' })
  expect(post.failureMessage).toContain('Connect it again')
})

testPartialGrant({
  network: 'LinkedIn Page',
  site: () => site,
  permission: 'w_organization_social',
  consent: () => consent(linkedin.directory.member('Left out'), ['w_organization_social']),
})

testOutcomes({
  network: 'LinkedIn Page',
  site: () => site,
  counterpart: () => linkedin,
  route: create,
  connect,
  revoke: ({ member }) => linkedin.grants.revoke(member.id),
  media: () => site.red(),
  outcomes: {
    ...publishedOnce,
    revoked_token: signedOut,
    forbidden: failed('permission_missing', 'allow everything'),
    rate_limited: limitedForADay,
    media_refused: failed('media_refused', 'Replace it'),
    'server_error until the end': failed('provider_error', '503'),
  },
})
