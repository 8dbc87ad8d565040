import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import sharp from 'sharp'
import { startInstagram, type Account, type InstagramCounterpart } from '../counterparts/instagram/index.ts'
import type { Consent } from '../counterparts/wire/grants.ts'
import { meetEveryFault } from './every-fault.ts'
import { servePublicMedia } from './image-server.ts'
import { at, read } from './read.ts'

const redirectUri = 'https://app.example/callback'
const scope = 'instagram_business_basic,instagram_business_content_publish'
let media: ReturnType<typeof servePublicMedia>
let instagram: InstagramCounterpart
let ada: Account

const draw = async (width: number, height: number, format: 'jpeg' | 'png') =>
  new Uint8Array(
    await sharp({ create: { width, height, channels: 3, background: 'red' } })
      .toFormat(format)
      .toBuffer(),
  )

beforeAll(async () => {
  media = servePublicMedia({
    'a.jpg': { type: 'image/jpeg', bytes: await draw(10, 10, 'jpeg') },
    'tall.jpg': { type: 'image/jpeg', bytes: await draw(10, 20, 'jpeg') },
    'a.png': { type: 'image/png', bytes: await draw(10, 10, 'png') },
    'a.mp4': { type: 'video/mp4', bytes: new Uint8Array(3) },
    'a.html': { type: 'text/html', bytes: new Uint8Array(3) },
  })
})
const open = async (options: Parameters<typeof startInstagram>[0] = {}) => {
  await instagram?.stop()
  instagram = startInstagram({ redirectUris: [redirectUri], ...options })
  ada = instagram.account('ada')
}
beforeEach(() => open())
afterEach(() => instagram.stop())
afterAll(() => media.stop())

const get = (path: string, token = instagram.signIn(ada)) =>
  read(fetch(`${instagram.urls.graph}/v23.0${path}`, { headers: { authorization: `Bearer ${token}` } }))
const send = (path: string, fields: Record<string, string>, token = instagram.signIn(ada), signal?: AbortSignal) =>
  fetch(`${instagram.urls.graph}/v23.0${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(fields),
    signal,
  })
const create = async (fields: Record<string, string>) => at(await read(send(`/${ada.id}/media`, fields)), 'id')
const refused = async (fields: Record<string, string>) =>
  at(await read(send(`/${ada.id}/media`, fields)), 'error.error_subcode')
const publish = (id: string) => read(send(`/${ada.id}/media_publish`, { creation_id: id }))
const consent = (choice?: Consent, scopes = scope) => {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: instagram.app.clientId,
    redirect_uri: redirectUri,
    scope: scopes,
    state: 's',
    force_reauth: 'true',
  })
  return instagram.consent(`${instagram.urls.www}/oauth/authorize?${query}`, ada, choice)
}
const redeem = (code: string) =>
  fetch(`${instagram.urls.api}/oauth/access_token`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: instagram.app.clientId,
      client_secret: instagram.app.clientSecret,
      grant_type: 'authorization_code',
      redirect_uri: redirectUri,
      code,
    }),
  })
const renew = (path: string, grant: string, value: string) =>
  read(fetch(`${instagram.urls.graph}${path}?grant_type=${grant}&access_token=${value}`))

test('SOC-06 Instagram exchanges tokens on three hosts and names the permissions', async () => {
  const back = consent()
  expect(back).toEndWith('#_')
  const code = new URL(back).searchParams.get('code') ?? ''
  const given = await read(redeem(code))
  expect(given.body).toEqual({
    data: [{ access_token: expect.any(String), user_id: ada.scopedId, permissions: scope }],
  })
  expect((await read(redeem(code))).body).toMatchObject({ error_type: 'OAuthException', code: 400 })
  const short = at(given, 'data.0.access_token')
  const long = await renew('/access_token', 'ig_exchange_token&client_secret=instagram-secret', short)
  expect(long.body).toMatchObject({ token_type: 'bearer', expires_in: 5_184_000, permissions: scope })
  expect((await get('/me?fields=user_id,username,account_type', at(long, 'access_token'))).body).toEqual({
    id: ada.scopedId,
    user_id: ada.id,
    username: 'ada',
    account_type: 'BUSINESS',
  })
  expect((await renew('/refresh_access_token', 'ig_refresh_token', at(long, 'access_token'))).status).toBe(403)
  instagram.clock.advance(86_400_000)
  expect((await renew('/refresh_access_token', 'ig_refresh_token', at(long, 'access_token'))).status).toBe(200)
  await open({ isFlat: true })
  const flat = await (await redeem(new URL(consent()).searchParams.get('code') ?? '')).text()
  expect(flat).toContain(`"user_id":${ada.scopedId},"permissions":["instagram_business_basic",`)
})

test('SOC-05 Instagram passes a denial and a partial grant on, and refuses unknown scopes', async () => {
  expect(new URL(consent({ allows: false })).searchParams.get('error')).toBe('access_denied')
  expect(() => consent({}, 'instagram_basic')).toThrow('Invalid Scopes')
  const code = new URL(consent({ without: ['instagram_business_content_publish'] })).searchParams.get('code') ?? ''
  const given = await read(redeem(code))
  expect(at(given, 'data.0.permissions')).toBe('instagram_business_basic')
  const sent = await send(`/${ada.id}/media`, { image_url: media.at('a.jpg') }, at(given, 'data.0.access_token'))
  expect(sent.status).toBe(403)
})

test('SOC-24 Instagram publishes a container once and says so', async () => {
  const container = await create({ image_url: media.at('a.jpg'), caption: 'Tea', alt_text: 'A cup' })
  expect(at(await get(`/${container}?fields=status_code,status`), 'status_code')).toBe('FINISHED')
  const id = at(await publish(container), 'id')
  expect(at(await get(`/${container}?fields=status_code`), 'status_code')).toBe('PUBLISHED')
  expect(at(await publish(container), 'error.error_subcode')).toBe('2207008')
  expect(instagram.posts(ada)).toMatchObject([{ id, caption: 'Tea', kind: 'IMAGE', media: [{ alt: 'A cup' }] }])
  expect((await get(`/${id}?fields=permalink,caption`)).body).toMatchObject({
    permalink: expect.stringMatching(/^https:\/\/www\.instagram\.com\/p\/[\w-]+\/$/),
  })
  expect((await get(`/${ada.id}/media?fields=id,caption,timestamp`)).body).toMatchObject({
    data: [{ id, caption: 'Tea' }],
  })
  expect((await read(send(`/${id}/comments`, { message: 'First' }))).status).toBe(200)
  expect(instagram.posts(ada)[0]?.comments.map(({ text }) => text)).toEqual(['First'])
  expect((await get(`/${id}/comments?fields=id,text,from`)).body).toMatchObject({
    data: [{ text: 'First', from: { id: ada.id, username: ada.username } }],
  })
  expect((await get(`/${id}/comments?fields=message`)).status).toBe(400)
  expect((await read(send(`/${id}/comments`, { text: 'First' }))).status).toBe(400)
  expect((await read(send(`/${id}/comments`, { message: 'x'.repeat(301) }))).status).toBe(400)
})

test('SOC-14 Instagram refuses media and captions that break its limits', async () => {
  expect(await refused({ image_url: media.at('missing.jpg') })).toBe('2207052')
  expect(await refused({ image_url: media.at('a.html') })).toBe('2207052')
  expect(await refused({ image_url: media.at('a.png') })).toBe('2207005')
  expect(await refused({ image_url: media.at('tall.jpg') })).toBe('2207009')
  expect(await refused({ image_url: media.at('a.jpg'), caption: 'x'.repeat(2201) })).toBe('2207010')
  expect(await refused({ video_url: media.at('a.mp4'), media_type: 'VIDEO' })).toBe('2207067')
  const strange = await read(send(`/${ada.id}/media`, { image_url: media.at('a.jpg'), text: 'x' }))
  expect(at(strange, 'error.message')).toBe('(#100) Unexpected parameter text')
  expect((await send('/1/media', { image_url: media.at('a.jpg') })).status).toBe(400)
})

test('SOC-23 Instagram publishes carousels of finished items', async () => {
  const item = () => create({ image_url: media.at('a.jpg'), is_carousel_item: 'true' })
  const children = [await item(), await item()].join(',')
  await publish(await create({ media_type: 'CAROUSEL', children, caption: 'Two' }))
  expect(instagram.posts(ada)).toMatchObject([{ kind: 'CAROUSEL_ALBUM', caption: 'Two', media: [{}, {}] }])
  expect(await refused({ media_type: 'CAROUSEL', children: await item() })).toBe('2207028')
})

test('SOC-25 Instagram processes videos, and containers expire', async () => {
  await open({ processing: 1 })
  const reel = { media_type: 'REELS', video_url: media.at('a.mp4') }
  const container = await create(reel)
  expect(at(await publish(container), 'error.code')).toBe('9007')
  const status = async (id = container) => at(await get(`/${id}?fields=status_code`), 'status_code')
  expect([await status(), await status()]).toEqual(['IN_PROGRESS', 'FINISHED'])
  instagram.breakContainers(1)
  const broken = await create(reel)
  expect([await status(broken), await status(broken)]).toEqual(['IN_PROGRESS', 'ERROR'])
  expect(at(await get(`/${broken}?fields=status`), 'status')).toContain('2207026')
  instagram.clock.advance(86_400_000)
  expect(await status()).toBe('EXPIRED')
})

test('SOC-25 Instagram limits the posts of a day', async () => {
  const container = await create({ image_url: media.at('a.jpg') })
  instagram.useQuota(ada, 100)
  expect((await get(`/${ada.id}/content_publishing_limit?fields=quota_usage,config`)).body).toEqual({
    data: [{ quota_usage: 100, config: { quota_total: 100, quota_duration: 86_400 } }],
  })
  expect(at(await publish(container), 'error.error_subcode')).toBe('2207042')
})

test('SOC-09 Instagram calls the app with signed requests', async () => {
  const received: string[] = []
  const callback = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      received.push(new URLSearchParams(await request.text()).get('signed_request') ?? '')
      return Response.json({ url: 'https://app.example/status', confirmation_code: 'a1' })
    },
  })
  const token = instagram.signIn(ada)
  expect((await instagram.requestDeletion(ada, callback.url.href)).status).toBe(200)
  expect((await instagram.deauthorize(ada, callback.url.href)).status).toBe(200)
  const [signature = '', payload = ''] = received[0]?.split('.') ?? []
  expect(new Bun.CryptoHasher('sha256', 'instagram-secret').update(payload).digest('base64url')).toBe(signature)
  expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toEqual({
    algorithm: 'HMAC-SHA256',
    user_id: ada.scopedId,
    issued_at: expect.any(Number),
  })
  expect(at(await get('/me', token), 'error.error_subcode')).toBe('458')
  await callback.stop(true)
})

test('SOC-24 Instagram meets every fault', async () => {
  await meetEveryFault(
    instagram,
    'graph POST /:user/media_publish',
    async (signal) => {
      const creation_id = await create({ image_url: media.at('a.jpg') })
      return send(`/${ada.id}/media_publish`, { creation_id }, instagram.signIn(ada), signal)
    },
    () => instagram.posts(ada).length,
    {
      unauthorized: { status: 400, body: { error: { code: 190 } } },
      forbidden: { status: 403, body: { error: { code: 10 } } },
      rate_limited: {
        status: 403,
        body: { error: { code: 4 } },
        headers: { 'x-business-use-case-usage': /"estimated_time_to_regain_access":30/ },
      },
      server_error: { status: 500, body: { error: { code: 2, is_transient: true } } },
      expired_token: { status: 401, body: { error: { code: 190, error_subcode: 463 } } },
      revoked_token: { status: 401, body: { error: { code: 190, error_subcode: 458 } } },
      media_refused: { status: 400, body: { error: { code: 9004 } } },
    },
  )
})
