import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Connection, TargetChoice } from '#social/types'
import type { Person } from '../../counterparts/facebook/directory.ts'
import { startFacebook, type FacebookCounterpart } from '../../counterparts/facebook/index.ts'
import { administer } from '../../support/database.ts'
import { beginConnecting, comeBack, connectAgain, drawPage } from './support/connect.ts'
import { failed, publishedOnce, signedOut, testOutcomes, throttledFor } from './support/outcomes.ts'
import { testPartialGrant } from './support/partial-grant.ts'
import { openNetworkSite, type NetworkSite } from './support/site.ts'
import { hasFfmpeg, uploadVideo } from './support/upload.ts'

let facebook: FacebookCounterpart
let site: NetworkSite

beforeAll(async () => {
  facebook = startFacebook()
  site = await openNetworkSite({ provider: 'facebook', counterpart: facebook, app: facebook.app })
})

afterAll(() => site.close())

const feed = 'graph POST /:id/feed'
let pages = 0

const consent = (person: Person, options: Parameters<FacebookCounterpart['consent']>[2] = {}): Promise<URL> =>
  site.consent((url) => facebook.consent(url, person, options))

async function connect() {
  const person = facebook.directory.person(`Ada ${(pages += 1)}`)
  const page = facebook.directory.page(`Acme ${pages}`, person)
  const { connections } = await site.choose(await consent(person), [page.id])
  return { person, page, connectionId: connections[0]?.id ?? '', posts: () => facebook.posts(page).length }
}

test('SOC-05 SOC-06 chosen Page is connected with its own token, which has no end, and Groups are never requested', async () => {
  const person = facebook.directory.person('Jonas')
  const [berlin, hamburg] = ['Acme Berlin', 'Acme Hamburg'].map((name) => facebook.directory.page(name, person))
  const address = await beginConnecting(site.ada, 'facebook')
  expect(new URL(address).searchParams.get('scope')).toBe('pages_show_list pages_manage_posts pages_read_engagement')
  const at = await comeBack(site.ada, facebook.consent(address, person))
  const { connections } = await site.choose(at, [berlin?.id ?? ''])
  expect(connections).toMatchObject([
    { health: 'ok', expiresAt: null, account: { id: berlin?.id ?? '', name: 'Acme Berlin' } },
  ])
  const { items } = await site.ada.call<{ items: Connection[] }>('GET', '/api/accounts?provider=facebook')
  expect(items.some(({ account }) => account.id === hamburg?.id)).toBe(false)
})

test('SOC-05 consent without a permission connects nothing and is explained, and so is a denied one', async () => {
  const person = facebook.directory.person('Partial')
  facebook.directory.page('Partial', person)
  const partial = await consent(person, { without: ['pages_manage_posts'] })
  expect([partial.searchParams.get('unconnected'), partial.searchParams.get('missing')]).toEqual([
    'partial',
    'pages_manage_posts',
  ])
  expect((await consent(person, { allows: false })).searchParams.get('unconnected')).toBe('denied')
})

test('SOC-05 first consent that leaves out all Pages says so, and is begun again from there for the same unsaved post', async () => {
  const person = facebook.directory.person('Left out')
  const page = facebook.directory.page('Left out Inc', person)
  const unsavedId = Bun.randomUUIDv7()
  const none = await site.consent((url) => facebook.consent(url, person, { chooses: [] }), { unsavedId })
  const drawn = await drawPage(site.ada, none)
  expect(drawn).toContain(
    'Facebook gave Atrium access to no Page. You may have left out your Pages in its dialog, or you manage none.',
  )
  const at = await comeBack(site.ada, facebook.consent(await connectAgain(site.ada, drawn), person))
  const choices = await drawPage(site.ada, at)
  expect(choices).toContain(page.name)
  expect(choices).not.toContain('Connect again')
  const { choice } = await site.ada.call<{ choice: TargetChoice }>(
    'GET',
    `/api/integrations/facebook/targets?${new URLSearchParams({ choice: at.searchParams.get('choice') ?? '' })}`,
  )
  expect(choice).toMatchObject({ unsavedId, items: [{ id: page.id }] })
})

test('SOC-46 Page that was deactivated by mistake is active again with its tokens, since Facebook can’t revoke them', async () => {
  const { connectionId } = await connect()
  const change = (verb: string) => site.ada.call<Connection>('POST', `/api/accounts/${connectionId}/${verb}`)
  expect(await change('deactivate')).toMatchObject({ active: false, can: { reconnect: true } })
  expect(await change('reconnect')).toMatchObject({ active: true, health: 'ok' })
  expect(await site.publish({ connectionId }, { text: 'Back again' })).toMatchObject({ status: 'published' })
})

test('SOC-06 text with a link is published with its preview and found at its link', async () => {
  const account = await connect()
  const post = await site.publish(account, { text: 'Grüße: https://example.com/a?b=c.' })
  const [shown] = facebook.posts(account.page)
  expect(shown).toMatchObject({ message: 'Grüße: https://example.com/a?b=c.', link: 'https://example.com/a?b=c' })
  const permalink = `https://www.facebook.com/${account.page.id}/posts/${shown?.id.split('_')[1]}`
  expect(post).toMatchObject({ status: 'published', platformPostId: shown?.id, permalink })
})

test('SOC-14 link preview is of its page, and not of a link in the text', async () => {
  const account = await connect()
  const linkPreview = { url: 'https://example.com/maple', title: 'Maple latte' }
  await site.publish(account, { text: 'See https://example.com/other', linkPreview })
  expect(facebook.posts(account.page)).toMatchObject([{ link: 'https://example.com/maple' }])
})

test('SOC-06 photos are one post, with their alt texts', async () => {
  const account = await connect()
  const media = [await site.image('A red square'), await site.image('')]
  expect(await site.publish(account, { text: 'Two', media })).toMatchObject({
    status: 'published',
    failureMessage: null,
  })
  const [shown] = facebook.posts(account.page)
  expect([shown?.message, shown?.photos.map(({ alt }) => alt)]).toEqual(['Two', ['A red square', '']])
})

test.skipIf(!hasFfmpeg)('SOC-06 video is uploaded in chunks, and continues after an interruption', async () => {
  const account = await connect()
  const { id: mediaId, bytes } = await uploadVideo(site.ada, 9 * 1024 * 1024)
  facebook.breakUpload(1024 * 1024)
  expect(await site.publish(account, { text: 'A video', media: [{ mediaId }] })).toMatchObject({ status: 'published' })
  expect(facebook.posts(account.page)).toMatchObject([{ message: 'A video', video: { bytes } }])
})

test('SOC-48 post is deleted, even if it was already deleted on Facebook', async () => {
  const account = await connect()
  const post = await site.publish(account, { text: 'Deleted' })
  await site.ada.call('DELETE', `/api/posts/${post.id}/publication`)
  expect(facebook.posts(account.page)).toEqual([])
})

test('SOC-48 post of a Page is corrected, and a lost response is read back', async () => {
  const account = await connect()
  const post = await site.publish(account, { text: 'Munday', media: [await site.image('A cup')] })
  const correct = (text: string) => site.ada.call<object>('POST', `/api/posts/${post.id}/corrections`, { text })
  expect(await correct('Monday')).toMatchObject({ state: 'corrected' })
  facebook.fail('graph POST /:id', 'no_answer_after')
  expect(await correct('Monday, 9 a.m.')).toMatchObject({ state: 'corrected' })
  const [shown, ...others] = facebook.posts(account.page)
  expect([shown?.message, shown?.photos.length, others]).toEqual(['Monday, 9 a.m.', 1, []])
})

test('SOC-07 SOC-23 lost role on the Page signs the account out', async () => {
  const account = await connect()
  facebook.directory.dismiss(account.person, account.page)
  expect(await site.publish(account, { text: 'Too late' })).toMatchObject({
    status: 'failed',
    failureCode: 'signed_out',
  })
})

test('SOC-24 post is published once when Facebook took it and responded 500 with a code that it doesn’t document', async () => {
  const account = await connect()
  const body = { error: { message: 'An error occurred', type: 'OAuthException', code: 99, fbtrace_id: 'A1' } }
  facebook.faults.next(feed, { kind: 'fail_after', status: 500, body })
  expect(await site.publish(account, { text: 'Taken' })).toMatchObject({ status: 'published' })
  expect(facebook.posts(account.page).map(({ message }) => message)).toEqual(['Taken'])
})

test('SOC-25 rate limit of the app makes posts wait by name for as long as Facebook says', async () => {
  const account = await connect()
  facebook.fail(feed, 'rate_limited')
  const { id } = await site.schedule(account, { text: 'Later' })
  const { waitingFor } = await site.ada.until(id, (post) => post.waitingFor?.reason === 'rate_window')
  const minutes = (Date.parse(waitingFor?.until ?? '') - Date.now()) / 60_000
  expect(Math.round(minutes)).toBe(30)
  await administer(site.databaseUrl, (all) => all`DELETE FROM social.rate_windows`)
})

testPartialGrant({
  network: 'Facebook',
  site: () => site,
  permission: 'pages_manage_posts',
  consent: () => consent(facebook.directory.person('Left out'), { without: ['pages_manage_posts'] }),
})

testOutcomes({
  network: 'Facebook',
  site: () => site,
  counterpart: () => facebook,
  route: feed,
  connect,
  routes: { media_refused: 'graph POST /:id/photos' },
  media: () => site.red(),
  outcomes: {
    ...publishedOnce,
    unauthorized: signedOut,
    expired_token: signedOut,
    revoked_token: signedOut,
    rate_limited: throttledFor(1800),
    forbidden: failed('permission_missing', 'Connect the account again'),
    media_refused: failed('media_refused', 'Replace it'),
    'server_error until the end': failed('provider_error', 'fault'),
  },
})
