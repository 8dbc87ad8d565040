import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Connection, PostDetails, PostTarget } from '#social/types'
import { startFacebook, type FacebookCounterpart } from '../../counterparts/facebook/index.ts'
import { startInstagram, type InstagramCounterpart } from '../../counterparts/instagram/index.ts'
import { drawPage } from './support/connect.ts'
import {
  notWritten,
  testCommentOutcomes,
  throttled,
  untilCommented,
  written,
  writtenOnce,
} from './support/comment-outcomes.ts'
import { openNetworkSite, type NetworkSite } from './support/site.ts'

let facebook: FacebookCounterpart
let instagram: InstagramCounterpart
let pages: NetworkSite
let photos: NetworkSite

beforeAll(async () => {
  facebook = startFacebook()
  instagram = startInstagram()
  pages = await openNetworkSite({ provider: 'facebook', counterpart: facebook, app: facebook.app })
  const { app } = instagram
  photos = await openNetworkSite({ provider: 'instagram', counterpart: instagram, app, imageType: 'jpeg' })
})

afterAll(async () => {
  await pages.close()
  await photos.close()
})

const optedIn = { firstComments: true }
const signedOut = notWritten('signed_out', 'Reconnect it', { health: 'signed_out' })
let people = 0

async function connectPage(form: Record<string, unknown> = optedIn, without: string[] = []) {
  const person = facebook.directory.person(`Ada ${(people += 1)}`)
  const page = facebook.directory.page(`Acme ${people}`, person)
  const at = await pages.consent((url) => facebook.consent(url, person, { without }), form)
  const { connections } = await pages.choose(at, [page.id])
  return {
    person,
    page,
    connectionId: connections[0]?.id ?? '',
    scopes: connections[0]?.scopes ?? [],
    comments: () => facebook.posts(page).flatMap(({ comments }) => comments.map(({ message }) => message)),
  }
}

async function connectPhotos(form: Record<string, unknown> = optedIn, without: string[] = []) {
  const account = instagram.account(`acme${(people += 1)}`)
  const { connectionId } = await photos.connect(account.id, (url) => instagram.consent(url, account, { without }), form)
  return {
    account,
    connectionId,
    comments: () => instagram.posts(account).flatMap(({ comments }) => comments.map(({ text }) => text)),
  }
}

const targetOf = async ({ ada }: NetworkSite, id: string): Promise<PostTarget | undefined> => {
  const { items } = await ada.call<{ items: PostTarget[] }>('GET', `/api/posts/targets?brandId=${ada.brandId}`)
  return items.find(({ target }) => target.connectionId === id)
}

test('SOC-10 permission for first comments is requested only when a person opts in', async () => {
  const requested = new Map<string, string>()
  const remember = (name: string, url: string) => requested.set(name, new URL(url).searchParams.get('scope') ?? '')
  const person = facebook.directory.person('Choosing')
  for (const form of [{}, optedIn, { firstComments: 'false' }])
    await pages.consent((url) => {
      remember(JSON.stringify(form), url)
      return facebook.consent(url, person, { allows: false })
    }, form)
  expect([...requested.values()].map((scope) => scope.includes('pages_manage_engagement'))).toEqual([
    false,
    true,
    false,
  ])
  const { ada } = pages
  const wrong = { brandId: ada.brandId, firstComments: 'perhaps' }
  expect(await ada.call('POST', '/api/integrations/facebook/connect', wrong, 422)).toMatchObject({
    errors: [{ path: 'firstComments' }],
  })
})

test('SOC-05 SOC-10 account without the permission publishes, takes no first comment and says why', async () => {
  for (const [form, without] of [
    [{}, []],
    [optedIn, ['pages_manage_engagement']],
  ] as const) {
    const account = await connectPage(form, [...without])
    expect(account.scopes).not.toContain('pages_manage_engagement')
    expect(await targetOf(pages, account.connectionId)).toMatchObject({ firstComments: 'permission_missing' })
    expect(await pages.refusalOf(account, { text: 'Tea', firstComment: '#tea' })).toContain(
      'Reconnect the account with first comments',
    )
    expect(await pages.publish(account, { text: 'Tea' })).toMatchObject({ status: 'published' })
    const page = await drawPage(pages.ada, `/workspace/accounts/${account.connectionId}`)
    expect(page).toContain('Reconnect with first comments')
    await pages
      .consent((url) => facebook.consent(url, account.person), optedIn)
      .then((at) => pages.choose(at, [account.page.id]))
    expect(await targetOf(pages, account.connectionId)).toMatchObject({ firstComments: 'allowed' })
  }
  const partial = await connectPhotos(optedIn, ['instagram_business_manage_comments'])
  expect(await targetOf(photos, partial.connectionId)).toMatchObject({ firstComments: 'permission_missing' })
  const { scopes } = await photos.ada.call<Connection>('GET', `/api/accounts/${partial.connectionId}`)
  expect(scopes).not.toContain('instagram_business_manage_comments')
})

test('SOC-10 first comment of a Page fails when the permission was taken away, and is retried after reconnecting', async () => {
  const account = await connectPage()
  const { ada } = pages
  const media = await pages.red()
  const { id } = await pages.scheduleLater(account, { text: 'Tea', firstComment: '#tea', media })
  await pages.consent((url) => facebook.consent(url, account.person)).then((at) => pages.choose(at, [account.page.id]))
  expect(await ada.call<PostDetails>('GET', `/api/posts/${id}`)).toMatchObject({
    firstComments: 'permission_missing',
    readiness: { state: 'warning', reasons: [{ code: 'comment_permission_missing' }] },
  })
  const refused = await ada.call('POST', `/api/posts/${id}/publish-now`, {}, 422)
  expect(refused).toMatchObject({ errors: [{ path: 'firstComment' }] })
  await pages
    .consent((url) => facebook.consent(url, account.person), optedIn)
    .then((at) => pages.choose(at, [account.page.id]))
  facebook.fail('graph POST /:id/comments', 'forbidden')
  await ada.call('POST', `/api/posts/${id}/publish-now`, {})
  expect(await untilCommented(ada, id)).toMatchObject({
    status: 'published',
    firstCommentStatus: { state: 'failed', failureCode: 'permission_missing', attempts: 1 },
  })
  await ada.call('POST', `/api/posts/${id}/first-comment/retry`)
  expect((await untilCommented(ada, id)).firstCommentStatus).toMatchObject({ state: 'published', attempts: 2 })
  expect(account.comments()).toEqual(['#tea'])
})

test('SOC-10 SOC-24 unknown first comment isn’t sent again while the comments of its post can’t be read', async () => {
  const account = await connectPage()
  const { ada } = pages
  const list = 'graph GET /:id/comments'
  facebook.fail('graph POST /:id/comments', 'no_answer_after')
  facebook.fail(list, 'forbidden', 2)
  const { id } = await pages.schedule(account, { text: 'Unread', firstComment: '#once', media: await pages.red() })
  for (const attempts of [1, 2]) {
    expect((await untilCommented(ada, id)).firstCommentStatus).toMatchObject({ state: 'unknown', attempts })
    expect(account.comments()).toEqual(['#once'])
    await ada.call('POST', `/api/posts/${id}/first-comment/retry`)
  }
  expect((await untilCommented(ada, id)).firstCommentStatus).toMatchObject({ state: 'published' })
  expect(account.comments()).toEqual(['#once'])
})

const ofMeta = {
  unauthorized: signedOut,
  revoked_token: signedOut,
  forbidden: notWritten('permission_missing', 'Reconnect the account with first comments'),
  rate_limited: throttled,
}

testCommentOutcomes({
  network: 'Facebook',
  site: () => pages,
  counterpart: () => facebook,
  route: 'graph POST /:id/comments',
  connect: connectPage,
  outcomes: {
    ...writtenOnce,
    ...ofMeta,
    'server_error until the end': notWritten('provider_error', 'temporary fault'),
  },
})

testCommentOutcomes({
  network: 'Instagram',
  site: () => photos,
  counterpart: () => instagram,
  route: 'graph POST /:id/comments',
  connect: connectPhotos,
  media: () => photos.red(),
  outcomes: {
    ...writtenOnce,
    ...ofMeta,
    unauthorized: written,
    revoked_token: written,
    'server_error until the end': notWritten('provider_error', 'temporary fault'),
  },
})
