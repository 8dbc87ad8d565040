import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Connection, Integration, PostTargetList, TargetChoice } from '#social/types'
import type { Person } from '../../counterparts/facebook/directory.ts'
import { startFacebook, type FacebookCounterpart } from '../../counterparts/facebook/index.ts'
import { administer } from '../../support/database.ts'
import { drawPage } from './support/connect.ts'
import { openNetworkSite, type NetworkSite } from './support/site.ts'

/** With Groups as until April 2024, and without them as since then. */
let open: { facebook: FacebookCounterpart; site: NetworkSite }
let closed: typeof open

const start = async (hasGroups: boolean): Promise<typeof open> => {
  const facebook = startFacebook({ hasGroups })
  return { facebook, site: await openNetworkSite({ provider: 'facebook', counterpart: facebook, app: facebook.app }) }
}
beforeAll(async () => {
  open = await start(true)
  closed = await start(false)
})
afterAll(() => Promise.all([open.site.close(), closed.site.close()]))

const warning = expect.stringContaining('Meta withdrew publishing to Groups in April 2024')
let people = 0

/** A person with a Page and a Group, of which they connect those. */
async function connect({ facebook, site }: typeof open, chosen: 'page' | 'group') {
  const person: Person = facebook.directory.person(`Ada ${(people += 1)}`)
  const page = facebook.directory.page(`Café ${people}`, person)
  const group = facebook.directory.group(`Neighbors ${people}`, person)
  const at = await site.consent((url) => facebook.consent(url, person))
  const { connections } = await site.choose(at, [chosen === 'page' ? page.id : group.id])
  return { person, page, group, connectionId: connections[0]?.id ?? '' }
}

/** A connected Page whose stored data lists a Group, too. */
async function connectListing({ facebook, site }: typeof open) {
  const person = facebook.directory.person(`Ada ${(people += 1)}`)
  const page = facebook.directory.page(`Café ${people}`, person)
  const group = facebook.directory.group(`Neighbors ${people}`, person)
  const at = await site.consent((url) => facebook.consent(url, person))
  const { connections } = await site.choose(at, [page.id])
  const connectionId = connections[0]?.id ?? ''
  const groups = JSON.stringify({ groups: [group] })
  await administer(
    site.databaseUrl,
    (sql) =>
      sql`UPDATE social.connections SET metadata = metadata || ${groups}::text::jsonb WHERE id = ${connectionId}`,
  )
  return { page, group, connectionId }
}

const cardOf = async ({ site }: typeof open): Promise<Integration | undefined> =>
  (await site.ada.call<{ items: Integration[] }>('GET', '/api/integrations')).items.find(
    ({ provider }) => provider === 'facebook',
  )

test('SOC-06 Groups are listed beside Pages after a consent that never requests them, with a warning', async () => {
  const { facebook, site } = open
  const person = facebook.directory.person('Both')
  const page = facebook.directory.page('Both', person)
  const group = facebook.directory.group('Both, the Group', person)
  const at = await site.consent((url) => {
    expect(new URL(url).searchParams.get('scope')).not.toContain('groups')
    return facebook.consent(url, person)
  })
  const query = new URLSearchParams({ choice: at.searchParams.get('choice') ?? '' })
  const { choice } = await site.ada.call<{ choice: TargetChoice }>('GET', `/api/integrations/facebook/targets?${query}`)
  expect(choice.items).toMatchObject([
    { id: page.id, detail: 'Page', warning: null },
    { id: group.id, detail: 'Group', refusal: null, warning },
  ])
  const drawn = await drawPage(site.ada, at)
  expect(drawn).toMatch(new RegExp(`value="${page.id}"[^>]* checked`))
  expect(drawn).not.toMatch(new RegExp(`value="${group.id}"[^>]* checked`))
})

test('SOC-06 chosen Group is connected, and a post to it with a link is scheduled and published', async () => {
  const { facebook, site } = open
  const { group, connectionId } = await connect(open, 'group')
  expect(await site.ada.call<Connection>('GET', `/api/accounts/${connectionId}`)).toMatchObject({ warning })
  const post = await site.publish({ connectionId }, { text: 'See https://example.com/a' })
  const [shown] = facebook.posts(group)
  expect(shown).toMatchObject({ message: 'See https://example.com/a', link: 'https://example.com/a' })
  expect(post).toMatchObject({ status: 'published', platformPostId: shown?.id, accountName: group.name })
})

test('SOC-06 photos are published to a Group as one post', async () => {
  const { facebook, site } = open
  const { group, connectionId } = await connect(open, 'group')
  const media = [await site.image('A'), await site.image('B')]
  expect(await site.publish({ connectionId }, { text: 'Two', media })).toMatchObject({ status: 'published' })
  expect(facebook.posts(group)[0]?.photos.map(({ alt }) => alt)).toEqual(['A', 'B'])
})

test('SOC-04 SOC-06 SOC-10 Group from the stored data of a Page’s account is a target, and gets the post instead of the Page', async () => {
  const { facebook, site } = open
  const { page, group, connectionId } = await connectListing(open)
  expect((await cardOf(open))?.targets.groups).toContainEqual({ ...group, connectionId })
  expect((await cardOf(open))?.targets.pages).toContainEqual({ ...page, connectionId })
  const post = await site.publish(
    { connectionId },
    { text: 'To the Group', target: { connectionId, groupId: group.id } },
  )
  expect(post).toMatchObject({ status: 'published', target: { groupId: group.id }, accountName: group.name })
  expect([facebook.posts(group).length, facebook.posts(page).length]).toEqual([1, 0])
  await site.publish({ connectionId }, { text: 'To the Page', target: { pageId: page.id } })
  expect([facebook.posts(group).length, facebook.posts(page).length]).toEqual([1, 1])
})

test('SOC-10 post that names a Group without an account is published through the account that has it', async () => {
  const { facebook, site } = open
  await connectListing(open)
  const { group } = await connectListing(open)
  const post = await site.publish({ connectionId: '' }, { text: 'Found', target: { groupId: group.id } })
  expect([post.status, facebook.posts(group).length]).toEqual(['published', 1])
})

test('SOC-10 Group that no account has is refused, and so is a place that the network doesn’t have', async () => {
  const { site } = open
  const { connectionId } = await connectListing(open)
  expect(await site.refusalOf({ connectionId }, { text: 'x', target: { connectionId, groupId: '1' } })).toBe(
    'This account has no Group with this ID.',
  )
  expect(await site.refusalOf({ connectionId }, { text: 'x', target: { pageId: '1' } })).toBe(
    'No connected Facebook account has a Page with this ID.',
  )
  expect(await site.refusalOf({ connectionId }, { text: 'x', target: { organizationId: '1' } })).toContain(
    'doesn’t support organizationId',
  )
})

test('SOC-12 Group of a post survives edits that don’t name it', async () => {
  const { site } = open
  const { group, connectionId } = await connectListing(open)
  const target = { connectionId, groupId: group.id }
  const { id } = await site.scheduleLater({ connectionId }, { text: 'First', target })
  const edited = await site.ada.call<object>('PUT', `/api/posts/${id}`, { text: 'Second' })
  expect(edited).toMatchObject({ text: 'Second', status: 'scheduled', target })
  expect(await site.ada.call<object>('PUT', `/api/posts/${id}`, { status: 'draft' })).toMatchObject({ target })
})

test('SOC-24 lost response of a post to a Group is found in the Group', async () => {
  const { facebook, site } = open
  const { group, connectionId } = await connect(open, 'group')
  facebook.fail('graph POST /:id/feed', 'no_answer_after')
  expect(await site.publish({ connectionId }, { text: 'Lost and found' })).toMatchObject({ status: 'published' })
  expect(facebook.posts(group).length).toBe(1)
})

test('SOC-06 Facebook without Groups connects Pages all the same, and lists no Group', async () => {
  const { facebook, site } = closed
  const person = facebook.directory.person('Only Pages')
  const page = facebook.directory.page('Only Pages', person)
  facebook.directory.group('Gone', person)
  const at = await site.consent((url) => facebook.consent(url, person))
  const { connections } = await site.choose(at, [page.id])
  expect(connections).toMatchObject([{ account: { id: page.id }, warning: null }])
})

test.each(['text', 'photos'])(
  'SOC-06 post with %s to a Group fails as withdrawn, and says what to do',
  async (kind) => {
    const { facebook, site } = closed
    const { group, connectionId } = await connectListing(closed)
    const media = kind === 'photos' ? [await site.image('A')] : []
    const post = await site.publish(
      { connectionId },
      { text: kind, media, target: { connectionId, groupId: group.id } },
    )
    expect(post).toMatchObject({
      status: 'failed',
      failureCode: 'network_withdrew_groups',
      failureMessage:
        'Meta withdrew publishing to Groups in April 2024, and refused this post. Publish it in the Group yourself, or choose a Page.',
      failureRetryable: false,
    })
    expect(facebook.posts(group)).toEqual([])
    const page = await drawPage(site.ada, `/workspace/posts/${post.id}`)
    expect(page).toContain(`https://www.facebook.com/groups/${group.id}`)
  },
)

test('SOC-04 SOC-06 card, account and composer warn of Groups', async () => {
  const { site } = closed
  const { group, connectionId } = await connectListing(closed)
  const text = 'Meta withdrew publishing to Groups in April 2024'
  expect(await drawPage(site.ada, `/workspace/accounts?brandId=${site.ada.brandId}`)).toContain(`${text}: expect`)
  expect(await drawPage(site.ada, `/workspace/accounts/${connectionId}`)).toContain(`${text}: expect`)
  expect((await cardOf(closed))?.note).toContain(text)
  const { items } = await site.ada.call<PostTargetList>('GET', `/api/posts/targets?brandId=${site.ada.brandId}`)
  const own = items.filter(({ target }) => target.connectionId === connectionId)
  expect(own).toMatchObject([{ warning: null }, { target: { groupId: group.id }, accountName: group.name, warning }])
  const composer = await drawPage(site.ada, `/workspace/posts/new?brandId=${site.ada.brandId}`)
  expect(composer).toContain(`${text}: expect`)
  expect(composer).toContain(`value="${connectionId}/${group.id}"`)
})

test('SOC-03 Groups of an account survive connecting it again, when Facebook no longer lists them', async () => {
  const { facebook, site } = closed
  const person = facebook.directory.person('Again')
  const page = facebook.directory.page('Again', person)
  const consent = () => site.consent((url) => facebook.consent(url, person))
  const [first] = (await site.choose(await consent(), [page.id])).connections
  const groups = JSON.stringify({ groups: [{ id: '2123', name: 'Kept' }] })
  await administer(
    site.databaseUrl,
    (sql) =>
      sql`UPDATE social.connections SET metadata = metadata || ${groups}::text::jsonb WHERE id = ${first?.id ?? ''}`,
  )
  await site.choose(await consent(), [page.id])
  expect(await site.ada.call<object>('GET', `/api/accounts/${first?.id}`)).toMatchObject({
    groups: [{ id: '2123', name: 'Kept' }],
  })
})
