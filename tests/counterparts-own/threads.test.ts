import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test'
import { startThreads, type Account, type ThreadsCounterpart } from '../counterparts/threads/index.ts'
import type { Consent } from '../counterparts/wire/grants.ts'
import { meetEveryFault } from './every-fault.ts'
import { servePublicMedia } from './image-server.ts'
import { at, read } from './read.ts'

const redirectUri = 'https://app.example/callback'
const media = servePublicMedia({
  'a.png': { type: 'image/png', bytes: new Uint8Array(3) },
  'a.gif': { type: 'image/gif', bytes: new Uint8Array(3) },
  'a.mp4': { type: 'video/mp4', bytes: new Uint8Array(3) },
})
let threads: ThreadsCounterpart
let ada: Account

const open = async (options: Parameters<typeof startThreads>[0] = {}) => {
  await threads?.stop()
  threads = startThreads({ redirectUris: [redirectUri], ...options })
  ada = threads.account('ada')
}
beforeEach(() => open())
afterEach(() => threads.stop())
afterAll(() => media.stop())

const get = (path: string, token = threads.signIn(ada)) =>
  read(fetch(`${threads.urls.graph}/v1.0${path}`, { headers: { authorization: `Bearer ${token}` } }))
const send = (path: string, fields: Record<string, string>, token = threads.signIn(ada), signal?: AbortSignal) =>
  fetch(`${threads.urls.graph}/v1.0${path}`, {
    method: 'POST',
    body: new URLSearchParams({ ...fields, access_token: token }),
    signal,
  })
const create = async (fields: Record<string, string>) => at(await read(send('/me/threads', fields)), 'id')
const publish = (id: string) => read(send(`/${ada.id}/threads_publish`, { creation_id: id }))
const post = async (fields: Record<string, string>) => at(await publish(await create(fields)), 'id')
const consent = (choice?: Consent, scope = 'threads_basic,threads_content_publish') => {
  const query = { response_type: 'code', client_id: threads.app.clientId, redirect_uri: redirectUri, scope, state: 's' }
  return threads.consent(`${threads.urls.www}/oauth/authorize?${new URLSearchParams(query)}`, ada, choice)
}
const redeem = (code: string) =>
  fetch(`${threads.urls.graph}/oauth/access_token`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: threads.app.clientId,
      client_secret: threads.app.clientSecret,
      grant_type: 'authorization_code',
      redirect_uri: redirectUri,
      code,
    }),
  })
const exchange = (token: string) =>
  read(
    fetch(
      `${threads.urls.graph}/access_token?grant_type=th_exchange_token&client_secret=threads-secret&access_token=${token}`,
    ),
  )
const refresh = (token: string) =>
  read(fetch(`${threads.urls.graph}/refresh_access_token?grant_type=th_refresh_token&access_token=${token}`))

test('SOC-06 Threads exchanges tokens of an hour for ones of 60 days, and those after a day', async () => {
  const back = consent()
  expect(back).toEndWith('#_')
  const code = new URL(back).searchParams.get('code') ?? ''
  const given = await (await redeem(code)).text()
  // As a number it would lose its last digits.
  expect(given).toEndWith(`"user_id":${ada.id}}`)
  expect((await redeem(code)).status).toBe(400)
  const short = at({ body: JSON.parse(given) }, 'access_token')
  const long = await exchange(short)
  expect(long.body).toMatchObject({ token_type: 'bearer', expires_in: 5_184_000 })
  const token = at(long, 'access_token')
  expect((await get('/me?fields=id,username', token)).body).toEqual({ id: ada.id, username: 'ada' })
  expect((await refresh(token)).status).toBe(403)
  threads.clock.advance(86_400_000)
  expect(at(await refresh(token), 'expires_in')).toBe('5184000')
  expect(at(await exchange(short), 'error.error_subcode')).toBe('463')
  threads.grants.revoke(ada.id)
  expect(at(await get('/me', token), 'error.error_subcode')).toBe('458')
})

test('SOC-05 Threads passes a denial and a partial grant on, and refuses unknown scopes', async () => {
  expect(new URL(consent({ allows: false })).searchParams.get('error_reason')).toBe('user_denied')
  expect(() => consent({}, 'threads_basic,email')).toThrow('Invalid Scopes: email')
  const code = new URL(consent({ without: ['threads_content_publish'] })).searchParams.get('code') ?? ''
  const token = at(await exchange(at(await read(redeem(code)), 'access_token')), 'access_token')
  const refused = await read(send('/me/threads', { media_type: 'TEXT', text: 'x' }, token))
  expect(at(refused, 'error.code')).toBe('10')
})

test('SOC-22 Threads publishes containers once, replies too', async () => {
  const container = await create({ media_type: 'TEXT', text: 'Head' })
  expect((await get(`/${container}?fields=status`)).body).toEqual({ id: container, status: 'FINISHED' })
  const head = at(await publish(container), 'id')
  expect((await get(`/${container}?fields=status`)).body).toEqual({ id: container, status: 'PUBLISHED' })
  expect(at(await publish(container), 'error.code')).toBe('24')
  const reply = await post({ media_type: 'TEXT', text: 'Reply', reply_to_id: head })
  expect(threads.posts(ada)).toMatchObject([
    { id: head, text: 'Head', replyTo: null },
    { id: reply, text: 'Reply', replyTo: head, root: head },
  ])
  expect((await get('/me/threads?fields=id,text,permalink,timestamp')).body).toMatchObject({
    data: [
      { id: head, text: 'Head', permalink: expect.stringContaining('/@ada/post/'), timestamp: expect.any(String) },
    ],
  })
  const orphan = await read(send('/me/threads', { media_type: 'TEXT', text: 'x', reply_to_id: '1' }))
  expect(orphan.status).toBe(400)
  const removed = await fetch(`${threads.urls.graph}/v1.0/${head}?access_token=${threads.signIn(ada)}`, {
    method: 'DELETE',
  })
  expect(await removed.json()).toEqual({ success: true, deleted_id: head })
  expect(threads.posts(ada).map(({ text }) => text)).toEqual(['Reply'])
})

test('SOC-14 Threads counts emoji by their bytes', async () => {
  const status = async (text: string) => (await send('/me/threads', { media_type: 'TEXT', text })).status
  expect(await status('x'.repeat(500))).toBe(200)
  expect(await status('x'.repeat(501))).toBe(400)
  expect(await status('😀'.repeat(125))).toBe(200)
  expect(await status('😀'.repeat(126))).toBe(400)
})

test('SOC-23 Threads fetches public media, alone or in carousels', async () => {
  const image = await post({ media_type: 'IMAGE', image_url: media.at('a.png'), alt_text: 'A cat' })
  expect(threads.posts(ada)).toMatchObject([{ id: image, media: [{ alt: 'A cat', type: 'image/png', bytes: 3 }] }])
  const items = [
    await create({ media_type: 'IMAGE', image_url: media.at('a.png'), is_carousel_item: 'true' }),
    await create({ media_type: 'VIDEO', video_url: media.at('a.mp4'), is_carousel_item: 'true' }),
  ]
  await post({ media_type: 'CAROUSEL', children: items.join(','), text: 'Two' })
  expect(threads.posts(ada)[1]?.media).toHaveLength(2)
  const code = async (fields: Record<string, string>) => at(await read(send('/me/threads', fields)), 'error.code')
  expect(await code({ media_type: 'IMAGE', image_url: media.at('missing.png') })).toBe('9004')
  expect(await code({ media_type: 'IMAGE', image_url: media.at('a.gif') })).toBe('9004')
  expect(await code({ media_type: 'CAROUSEL', children: items[0] ?? '' })).toBe('100')
})

test('SOC-25 Threads processes media before they can be published, and containers expire', async () => {
  await open({ processing: 1 })
  const video = { media_type: 'VIDEO', video_url: media.at('a.mp4') }
  const container = await create(video)
  expect(at(await publish(container), 'error.code')).toBe('9007')
  const status = async (id = container) => at(await get(`/${id}?fields=status,error_message`), 'status')
  expect([await status(), await status()]).toEqual(['IN_PROGRESS', 'FINISHED'])
  threads.breakContainers(1)
  const broken = await create(video)
  await status(broken)
  expect((await get(`/${broken}?fields=status,error_message`)).body).toMatchObject({
    status: 'ERROR',
    error_message: 'FAILED_PROCESSING_VIDEO',
  })
  threads.clock.advance(86_400_000)
  expect(await status()).toBe('EXPIRED')
  expect(at(await publish(container), 'error.code')).toBe('24')
})

test('SOC-25 Threads limits the posts of a day', async () => {
  const container = await create({ media_type: 'TEXT', text: 'x' })
  threads.useQuota(ada, 250)
  expect((await get('/me/threads_publishing_limit?fields=quota_usage,config')).body).toEqual({
    data: [{ quota_usage: 250, config: { quota_total: 250, quota_duration: 86_400 } }],
  })
  expect(at(await publish(container), 'error.error_subcode')).toBe('2207042')
})

test('SOC-06 Threads refuses unknown parameters, fields and foreign accounts', async () => {
  const text = { media_type: 'TEXT', text: 'x' }
  expect(at(await read(send('/me/threads', { ...text, caption: 'x' })), 'error.message')).toContain('caption')
  expect((await send('/me/threads', { text: 'x' })).status).toBe(400)
  expect(at(await get('/me?fields=email'), 'error.message')).toContain('nonexistent field (email)')
  expect((await send(`/${threads.account('bob').id}/threads`, text)).status).toBe(400)
  expect(at(await get('/me', 'unknown'), 'error.code')).toBe('190')
})

test('SOC-24 Threads meets every fault', async () => {
  const container = () => create({ media_type: 'TEXT', text: 'x' })
  await meetEveryFault(
    threads,
    'graph POST /:user/threads_publish',
    async (signal) => send('/me/threads_publish', { creation_id: await container() }, threads.signIn(ada), signal),
    () => threads.posts(ada).length,
    {
      unauthorized: { status: 400, body: { error: { code: 190 } } },
      forbidden: { status: 403, body: { error: { code: 10 } } },
      rate_limited: { status: 403, body: { error: { code: 4 } }, headers: { 'x-app-usage': /"call_count":100/ } },
      server_error: { status: 500, body: { error: { code: 2, is_transient: true } } },
      expired_token: { status: 401, body: { error: { code: 190, error_subcode: 463 } } },
      revoked_token: { status: 401, body: { error: { code: 190, error_subcode: 458 } } },
      media_refused: { status: 400, body: { error: { code: 9004 } } },
    },
  )
})
