import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test'
import type { Page, Person } from '../counterparts/facebook/directory.ts'
import { startFacebook, type FacebookCounterpart } from '../counterparts/facebook/index.ts'
import type { Consent } from '../counterparts/wire/grants.ts'
import { meetEveryFault } from './every-fault.ts'
import { servePublicMedia } from './image-server.ts'
import { at, read } from './read.ts'

const redirectUri = 'https://app.example/callback'
const scope = 'pages_show_list,pages_manage_posts,pages_read_engagement'
const media = servePublicMedia({
  'a.jpg': { type: 'image/jpeg', bytes: new Uint8Array(3) },
  'a.mp4': { type: 'video/mp4', bytes: new Uint8Array(4) },
})
let facebook: FacebookCounterpart
let ada: Person
let cafe: Page
let shop: Page

const open = async (options: Parameters<typeof startFacebook>[0] = {}) => {
  await facebook?.stop()
  facebook = startFacebook({ redirectUris: [redirectUri], ...options })
  ada = facebook.directory.person('Ada')
  cafe = facebook.directory.page('Café', ada)
  shop = facebook.directory.page('Shop', ada)
}
beforeEach(() => open())
afterEach(() => facebook.stop())
afterAll(() => media.stop())

const get = (path: string, token: string) =>
  read(fetch(`${facebook.urls.graph}/v24.0${path}`, { headers: { authorization: `Bearer ${token}` } }))
const send = (path: string, fields: Record<string, string>, token = pageToken(), signal?: AbortSignal) =>
  fetch(`${facebook.urls.graph}/v24.0${path}`, {
    method: 'POST',
    body: new URLSearchParams({ ...fields, access_token: token }),
    signal,
  })
const pageToken = (page = cafe) => facebook.pageToken(ada, page)
const code = async (path: string, fields: Record<string, string>, token = pageToken()) =>
  at(await read(send(path, fields, token)), 'error.code')
const consent = (choice?: Consent, scopes = scope) => {
  const query = { response_type: 'code', client_id: '4000', redirect_uri: redirectUri, scope: scopes, state: 's' }
  return facebook.consent(`${facebook.urls.www}/v24.0/dialog/oauth?${new URLSearchParams(query)}`, ada, choice)
}
const exchange = (query: Record<string, string>) => {
  const all = { client_id: '4000', client_secret: 'facebook-secret', ...query }
  return read(fetch(`${facebook.urls.graph}/v24.0/oauth/access_token?${new URLSearchParams(all)}`))
}
const signIn = async (choice?: Consent) => {
  const given = await exchange({
    redirect_uri: redirectUri,
    code: new URL(consent(choice)).searchParams.get('code') ?? '',
  })
  return at(given, 'access_token')
}

test('SOC-06 Facebook gives a short token, a long one, and Page tokens that outlive both', async () => {
  const redirected = new URL(consent())
  const form = { redirect_uri: redirectUri, code: redirected.searchParams.get('code') ?? '' }
  const short = at(await exchange(form), 'access_token')
  expect(at(await exchange(form), 'error.error_subcode')).toBe('36009')
  const long = await exchange({ grant_type: 'fb_exchange_token', fb_exchange_token: short })
  expect(long.body).toMatchObject({ token_type: 'bearer', expires_in: 5_184_000 })
  const pages = await get('/me/accounts?fields=id,name,access_token,tasks', at(long, 'access_token'))
  expect(pages.body).toMatchObject({ data: [{ id: cafe.id, name: 'Café', tasks: expect.any(Array) }, { id: shop.id }] })
  facebook.clock.advance(61 * 86_400_000)
  expect(at(await get('/me', at(long, 'access_token')), 'error.error_subcode')).toBe('463')
  expect((await send(`/${cafe.id}/feed`, { message: 'x' }, at(pages, 'data.0.access_token'))).status).toBe(200)
})

test('SOC-05 Facebook leaves out Pages and scopes that the person left out', async () => {
  const token = await signIn({ chooses: [shop.id], without: ['pages_read_engagement'] })
  expect((await get('/me/accounts', token)).body).toMatchObject({ data: [{ id: shop.id }] })
  expect((await get('/me/permissions', token)).body).toMatchObject({
    data: expect.arrayContaining([
      { permission: 'pages_read_engagement', status: 'declined' },
      { permission: 'pages_manage_posts', status: 'granted' },
    ]),
  })
  const debug = `/debug_token?input_token=${token}&access_token=4000|facebook-secret`
  expect((await read(fetch(`${facebook.urls.graph}${debug}`))).body).toMatchObject({
    data: {
      is_valid: true,
      type: 'USER',
      granular_scopes: expect.arrayContaining([{ scope: 'pages_manage_posts', target_ids: [shop.id] }]),
    },
  })
  const page = at(await get('/me/accounts', token), 'data.0.access_token')
  expect(await code(`/${shop.id}/feed`, { message: 'x' }, page)).toBe('10')
  expect(await code(`/${cafe.id}/feed`, { message: 'x' }, page)).toBe('200')
})

test('SOC-06 Facebook shows an error for Groups’ scope, and denials come back', () => {
  expect(() => consent({}, `${scope},publish_to_groups`)).toThrow('Invalid Scopes: publish_to_groups')
  expect(new URL(consent({ allows: false })).searchParams.get('error_reason')).toBe('user_denied')
})

test('SOC-06 Facebook refuses posts to Groups, unless a test opens them', async () => {
  const group = facebook.directory.group('Neighbours')
  expect(await code(`/${group.id}/feed`, { message: 'x' }, facebook.signIn(ada))).toBe('3')
  await open({ hasGroups: true })
  const opened = facebook.directory.group('Neighbours')
  expect((await send(`/${opened.id}/feed`, { message: 'x' }, facebook.signIn(ada))).status).toBe(200)
  expect(facebook.posts(opened).map(({ message }) => message)).toEqual(['x'])
})

test('SOC-22 Facebook posts, changes, comments, lists and deletes', async () => {
  const id = at(await read(send(`/${cafe.id}/feed`, { message: 'Tea', link: 'https://example.com/' })), 'id')
  expect(id).toStartWith(`${cafe.id}_`)
  expect((await get(`/${id}?fields=permalink_url`, pageToken())).body).toEqual({
    id,
    permalink_url: expect.stringContaining('https://www.facebook.com/'),
  })
  expect((await send(`/${id}`, { message: 'Green tea' })).status).toBe(200)
  expect((await send(`/${id}/comments`, { message: 'First' })).status).toBe(200)
  const comments = `/${id}/comments?fields=id,message,from,created_time&order=reverse_chronological&limit=50`
  expect((await get(comments, pageToken())).body).toMatchObject({ data: [{ message: 'First', from: { id: cafe.id } }] })
  expect((await get(`/${id}/comments?fields=text`, pageToken())).status).toBe(400)
  expect((await get(`/${id}/comments?sort=new`, pageToken())).status).toBe(400)
  expect((await send(`/${id}/comments`, { text: 'First' })).status).toBe(400)
  const withoutScope = facebook.pageToken(ada, cafe, ['pages_manage_posts', 'pages_read_engagement'])
  expect((await send(`/${id}/comments`, { message: 'First' }, withoutScope)).status).toBe(403)
  expect(facebook.posts(cafe)).toMatchObject([
    { message: 'Green tea', link: 'https://example.com/', comments: [{ message: 'First' }] },
  ])
  expect((await get(`/${cafe.id}/published_posts?fields=id,message,created_time`, pageToken())).body).toMatchObject({
    data: [{ id, message: 'Green tea', created_time: expect.any(String) }],
  })
  const removal = await fetch(`${facebook.urls.graph}/${id}?access_token=${pageToken()}`, { method: 'DELETE' })
  expect(await removal.json()).toEqual({ success: true })
  expect(facebook.posts(cafe)).toEqual([])
})

test('SOC-23 Facebook takes photos by URL or in the body, several in one post', async () => {
  const one = await read(
    send(`/${cafe.id}/photos`, { url: media.at('a.jpg'), caption: 'One', alt_text_custom: 'A cup' }),
  )
  expect(at(one, 'post_id')).toStartWith(`${cafe.id}_`)
  const form = new FormData()
  form.set('access_token', pageToken())
  form.set('published', 'false')
  form.set('source', new Blob([new Uint8Array(5)], { type: 'image/png' }), 'b.png')
  const sent = await read(fetch(`${facebook.urls.graph}/${cafe.id}/photos`, { method: 'POST', body: form }))
  const other = await read(send(`/${cafe.id}/photos`, { url: media.at('a.jpg'), published: 'false' }))
  const attached = [sent, other].map((photo, n) => [
    `attached_media[${n}]`,
    JSON.stringify({ media_fbid: at(photo, 'id') }),
  ])
  const two = { message: 'Two', ...Object.fromEntries(attached) }
  expect((await send(`/${cafe.id}/feed`, two)).status).toBe(200)
  expect(facebook.posts(cafe)).toMatchObject([
    { message: 'One', photos: [{ alt: 'A cup', bytes: 3 }] },
    { message: 'Two', photos: [{ bytes: 5 }, { bytes: 3 }] },
  ])
  expect(await code(`/${cafe.id}/feed`, two)).toBe('100')
  expect(await code(`/${cafe.id}/photos`, { url: media.at('missing.jpg') })).toBe('9004')
})

test('SOC-25 Facebook resumes uploads of videos and processes them', async () => {
  await open({ processing: 1 })
  const token = facebook.signIn(ada)
  const file = { file_name: 'a.mp4', file_length: '10', file_type: 'video/mp4' }
  const session = at(await read(send('/4000/uploads', file, token)), 'id')
  const append = (offset: number, bytes: number) =>
    fetch(`${facebook.urls.graph}/v24.0/${session}`, {
      method: 'POST',
      headers: { authorization: `OAuth ${token}`, file_offset: String(offset) },
      body: new Uint8Array(bytes),
    })
  facebook.breakUpload(4)
  expect((await append(0, 10)).status).toBe(500)
  expect((await append(0, 10)).status).toBe(400)
  expect(at(await get(`/${session}`, token), 'file_offset')).toBe('4')
  const handle = at(await read(append(4, 6)), 'h')
  const video = { fbuploader_video_file_chunk: handle, title: 'Film', description: 'Look' }
  const id = at(await read(send(`/${cafe.id}/videos`, video)), 'id')
  const status = async (of = id) =>
    at(await get(`/${of}?fields=status,permalink_url`, pageToken()), 'status.video_status')
  expect([await status(), await status()]).toEqual(['processing', 'ready'])
  expect(at(await get(`/${id}?fields=permalink_url`, pageToken()), 'permalink_url')).toBe(`/${cafe.id}/videos/${id}/`)
  expect(facebook.posts(cafe)).toMatchObject([{ message: 'Look', video: { title: 'Film', bytes: 10 } }])
  facebook.breakVideos(1)
  const broken = at(await read(send(`/${cafe.id}/videos`, { file_url: media.at('a.mp4') })), 'id')
  await status(broken)
  expect(await status(broken)).toBe('error')
  expect(facebook.posts(cafe)).toHaveLength(1)
})

test('SOC-25 Facebook refuses tokens of people without a role, and after the app was removed', async () => {
  const token = pageToken()
  const subcode = async () => at(await read(send(`/${cafe.id}/feed`, { message: 'x' }, token)), 'error.error_subcode')
  facebook.directory.dismiss(ada, cafe)
  expect(await subcode()).toBe('492')
  await fetch(`${facebook.urls.graph}/me/permissions?access_token=${facebook.signIn(ada)}`, { method: 'DELETE' })
  expect(await subcode()).toBe('458')
})

test('SOC-06 Facebook refuses unknown parameters and fields, empty posts and a wrong proof', async () => {
  expect(await code(`/${cafe.id}/feed`, { text: 'x' })).toBe('100')
  expect(await code(`/${cafe.id}/feed`, {})).toBe('100')
  expect(await code(`/${cafe.id}/feed`, { message: 'x'.repeat(63_207) })).toBe('100')
  expect(await code(`/${cafe.id}/feed`, { message: 'x', appsecret_proof: 'x' })).toBe('100')
  expect(at(await get('/me?fields=shoe_size', facebook.signIn(ada)), 'error.message')).toContain('shoe_size')
  expect(facebook.posts(cafe)).toEqual([])
})

test('SOC-25 Facebook reports its usage with every response', async () => {
  facebook.reportUsage(80)
  const { headers } = await get('/me', facebook.signIn(ada))
  expect(JSON.parse(headers.get('x-app-usage') ?? '')).toEqual({ call_count: 80, total_time: 80, total_cputime: 80 })
})

test('SOC-24 Facebook meets every fault', async () => {
  await meetEveryFault(
    facebook,
    'graph POST /:id/feed',
    (signal) => send(`/${cafe.id}/feed`, { message: 'x' }, pageToken(), signal),
    () => facebook.posts(cafe).length,
    {
      unauthorized: { status: 400, body: { error: { code: 190 } } },
      forbidden: { status: 403, body: { error: { code: 200 } } },
      rate_limited: {
        status: 403,
        body: { error: { code: 4 } },
        headers: { 'x-business-use-case-usage': /"estimated_time_to_regain_access":30/ },
      },
      server_error: { status: 500, body: { error: { code: 2, is_transient: true } } },
      expired_token: { status: 401, body: { error: { code: 190, error_subcode: 463 } } },
      revoked_token: { status: 401, body: { error: { code: 190, error_subcode: 458 } } },
      media_refused: { status: 400, body: { error: { code: 324 } } },
    },
  )
})
