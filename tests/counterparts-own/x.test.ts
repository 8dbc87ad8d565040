import { afterEach, beforeEach, expect, test } from 'bun:test'
import { startX, type Account, type XCounterpart } from '../counterparts/x/index.ts'
import { challengeOf, type Consent } from '../counterparts/wire/grants.ts'
import { meetEveryFault } from './every-fault.ts'
import { at, read } from './read.ts'

const redirectUri = 'https://app.example/callback'
const verifier = 'v'.repeat(43)
let x: XCounterpart
let ada: Account

const open = async (options: Parameters<typeof startX>[0] = {}) => {
  await x?.stop()
  x = startX({ redirectUris: [redirectUri], ...options })
  ada = x.account('ada')
}
beforeEach(() => open())
afterEach(() => x.stop())

const allScopes = 'tweet.read tweet.write users.read media.write offline.access'
const authorizeUrl = (more: Record<string, string> = {}) => {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: x.app.clientId,
    redirect_uri: redirectUri,
    scope: allScopes,
    state: 's',
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
    ...more,
  })
  return `${x.urls.www}/i/oauth2/authorize?${query}`
}
const form = (path: string, fields: Record<string, string>, authorization = basic()) =>
  fetch(`${x.urls.api}${path}`, { method: 'POST', body: new URLSearchParams(fields), headers: { authorization } })
const basic = () => `Basic ${btoa('x-client:x-secret')}`
const redeem = (code: string, more: Record<string, string> = {}) =>
  form('/2/oauth2/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...more,
  })
const refresh = (refresh_token: string) => form('/2/oauth2/token', { grant_type: 'refresh_token', refresh_token })
const consented = (consent?: Consent) => new URL(x.consent(authorizeUrl(), ada, consent)).searchParams

const call = (method: string, path: string, body?: unknown, token = x.signIn(ada).access_token, signal?: AbortSignal) =>
  fetch(`${x.urls.api}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal,
  })
const post = async (text: string) => {
  const sent = await read(call('POST', '/2/tweets', { text }))
  return { id: at(sent, 'data.id'), text: at(sent, 'data.text') }
}

test('SOC-06 X gives tokens for a code, once, and each refresh token works once', async () => {
  const query = consented()
  expect(query.get('state')).toBe('s')
  const code = query.get('code') ?? ''
  const given = await read(redeem(code))
  expect(given.status).toBe(200)
  expect(given.body).toEqual({
    token_type: 'bearer',
    expires_in: 7200,
    access_token: expect.any(String),
    scope: allScopes,
    refresh_token: expect.any(String),
  })
  expect(at(await read(redeem(code)), 'error')).toBe('invalid_request')
  const renewed = await read(refresh(at(given, 'refresh_token')))
  expect(renewed.status).toBe(200)
  expect(await read(refresh(at(given, 'refresh_token')))).toMatchObject({
    status: 400,
    body: { error: 'invalid_request', error_description: 'Value passed for the token was invalid.' },
  })
  const token = at(renewed, 'access_token')
  const me = await read(call('GET', '/2/users/me?user.fields=subscription_type', undefined, token))
  expect(me.body).toEqual({ data: { id: ada.id, username: 'ada', name: 'ADA', subscription_type: 'None' } })
  x.clock.advance(7_200_000)
  expect((await read(call('GET', '/2/users/me', undefined, token))).body).toMatchObject({ title: 'Unauthorized' })
  expect((await form('/2/oauth2/revoke', { token })).status).toBe(200)
  expect((await refresh(at(renewed, 'refresh_token'))).status).toBe(400)
})

test('SOC-05 X shows an error page instead of redirecting malformed requests', () => {
  expect(() => x.consent(authorizeUrl({ redirect_uri: 'https://other.example/' }), ada)).toThrow('redirect address')
  expect(() => x.consent(authorizeUrl({ code_challenge_method: 'plain' }), ada)).toThrow('S256')
  expect(() => x.consent(authorizeUrl({ scope: 'tweet.read email' }), ada)).toThrow('email is unknown')
  expect(() => x.consent(authorizeUrl({ prompt: 'none' }), ada)).toThrow('prompt is unknown')
})

test('SOC-05 X passes a denial and a partial grant on', async () => {
  expect(consented({ allows: false }).get('error')).toBe('access_denied')
  const code = consented({ without: ['media.write', 'offline.access'] }).get('code') ?? ''
  const given = await read(redeem(code))
  expect(at(given, 'scope')).toBe('tweet.read tweet.write users.read')
  expect(given.body).not.toHaveProperty('refresh_token')
  const begin = { media_type: 'image/png', media_category: 'tweet_image', total_bytes: 1 }
  expect((await call('POST', '/2/media/upload/initialize', begin, at(given, 'access_token'))).status).toBe(403)
})

test('SOC-06 X refuses a wrong verifier, redirect address, secret and late code', async () => {
  const code = () => consented().get('code') ?? ''
  expect((await redeem(code(), { code_verifier: 'w'.repeat(43) })).status).toBe(400)
  expect((await redeem(code(), { redirect_uri: 'https://other.example/' })).status).toBe(400)
  expect(
    (await form('/2/oauth2/token', { grant_type: 'refresh_token', refresh_token: 'x' }, 'Basic eDp5')).status,
  ).toBe(401)
  expect((await redeem(code(), { client_secret: 'x-secret' })).status).toBe(400)
  const late = code()
  x.clock.advance(31_000)
  expect((await redeem(late)).status).toBe(400)
})

test('SOC-22 X publishes replies, shows them newest first and deletes them', async () => {
  const head = await post('Tea & cake https://example.com/a')
  expect(head.text).toMatch(/^Tea &amp; cake https:\/\/t\.co\/\w{10}$/)
  const reply = await read(call('POST', '/2/tweets', { text: 'More', reply: { in_reply_to_tweet_id: head.id } }))
  expect(reply.status).toBe(201)
  expect(x.posts(ada)).toMatchObject([
    { text: 'Tea & cake https://example.com/a', inReplyTo: null },
    { text: 'More', inReplyTo: head.id, conversation: head.id },
  ])
  const timeline = await read(
    call('GET', `/2/users/${ada.id}/tweets?max_results=5&post.fields=created_at,entities,referenced_posts`),
  )
  expect(timeline.body).toMatchObject({
    data: [
      { text: 'More', referenced_posts: [{ type: 'replied_to', id: head.id }] },
      { id: head.id, created_at: expect.any(String), entities: { urls: [{ expanded_url: 'https://example.com/a' }] } },
    ],
    meta: { result_count: 2, oldest_id: head.id },
  })
  expect(at(await read(call('GET', `/2/users/${ada.id}/tweets?since_id=${head.id}`)), 'meta.result_count')).toBe('1')
  const bob = x.signIn(x.account('bob')).access_token
  expect((await call('DELETE', `/2/tweets/${head.id}`, undefined, bob)).status).toBe(403)
  expect((await read(call('DELETE', `/2/tweets/${head.id}`))).body).toEqual({ data: { deleted: true } })
  const orphan = { text: 'Late', reply: { in_reply_to_tweet_id: head.id } }
  expect(at(await read(call('POST', '/2/tweets', orphan)), 'detail')).toContain('deleted or not visible')
})

test('SOC-14 X weighs texts, more for subscribers', async () => {
  const status = async (text: string, account = ada) =>
    (await call('POST', '/2/tweets', { text }, x.signIn(account).access_token)).status
  expect(await status('x'.repeat(280))).toBe(201)
  expect(await status('x'.repeat(281))).toBe(403)
  expect(await status('字'.repeat(140))).toBe(201)
  expect(await status('字'.repeat(141))).toBe(403)
  expect(await status(`${'x'.repeat(256)} https://example.com/${'y'.repeat(100)}`)).toBe(201)
  expect(await status('👨‍👩‍👧‍👦'.repeat(140))).toBe(201)
  expect(await status('👨‍👩‍👧‍👦'.repeat(141))).toBe(403)
  expect(await status('x'.repeat(281), x.account('eve', true))).toBe(201)
})

test.each([
  ['an unknown field', { text: 'x', status: 'x' }, 'not defined in the schema'],
  ['nothing', {}, 'required'],
  ['a wrong type', { text: 1 }, 'expected string'],
  ['five files', { media: { media_ids: ['1', '2', '3', '4', '5'] } }, 'media_ids'],
])('SOC-06 X refuses %s', async (_, body, message) => {
  const refused = await read(call('POST', '/2/tweets', body))
  expect(refused.status).toBe(400)
  expect(refused.body).toMatchObject({
    title: 'Invalid Request',
    errors: [{ message: expect.stringContaining(message) }],
  })
})

async function uploadFile(bytes: Uint8Array, type: string, category: string, size = bytes.length) {
  const started = await read(
    call('POST', '/2/media/upload/initialize', { media_type: type, media_category: category, total_bytes: size }),
  )
  const id = at(started, 'data.id')
  const parts = Math.ceil(bytes.length / 4)
  for (let index = 0; index < parts; index++) {
    const part = new FormData()
    part.set('segment_index', String(index))
    part.set('media', new Blob([bytes.slice(index * 4, index * 4 + 4)]))
    const headers = { authorization: `Bearer ${x.signIn(ada).access_token}` }
    const appended = await fetch(`${x.urls.api}/2/media/upload/${id}/append`, { method: 'POST', body: part, headers })
    expect(appended.status).toBe(200)
  }
  return { id, finalized: await read(call('POST', `/2/media/upload/${id}/finalize`)) }
}

test('SOC-23 X takes images in segments with alternative texts', async () => {
  const { id, finalized } = await uploadFile(new Uint8Array(10), 'image/png', 'tweet_image')
  expect(finalized.body).toEqual({
    data: {
      id,
      media_key: `3_${id}`,
      size: 10,
      expires_after_secs: expect.any(Number),
    },
  })
  const metadata = { id, metadata: { alt_text: { text: 'A cat' } } }
  expect((await call('POST', '/2/media/metadata', metadata)).status).toBe(200)
  await call('POST', '/2/tweets', { media: { media_ids: [id] } })
  expect(x.posts(ada)[0]?.media).toEqual([{ id, key: `3_${id}`, type: 'image/png', alt: 'A cat', bytes: 10 }])
  const bob = x.signIn(x.account('bob')).access_token
  expect((await call('POST', '/2/tweets', { media: { media_ids: [id] } }, bob)).status).toBe(400)
  const short = await uploadFile(new Uint8Array(4), 'image/png', 'tweet_image', 5)
  expect([short.finalized.status, at(short.finalized, 'errors.0.message')]).toEqual([
    400,
    'Segments do not add up to provided total file size: 4.',
  ])
})

test('SOC-25 X processes videos before they can be posted', async () => {
  await open({ processing: 2 })
  const { id, finalized } = await uploadFile(new Uint8Array(8), 'video/mp4', 'tweet_video')
  expect(finalized.body).toMatchObject({ data: { processing_info: { state: 'in_progress', check_after_secs: 1 } } })
  const status = async (of = id) =>
    at(await read(call('GET', `/2/media/upload?command=STATUS&media_id=${of}`)), 'data.processing_info.state')
  expect((await call('POST', '/2/tweets', { media: { media_ids: [id] } })).status).toBe(400)
  expect([await status(), await status()]).toEqual(['in_progress', 'succeeded'])
  expect((await call('POST', '/2/tweets', { media: { media_ids: [id] } })).status).toBe(201)
  x.breakVideos(1)
  const broken = await uploadFile(new Uint8Array(8), 'video/mp4', 'tweet_video')
  await status(broken.id)
  expect(await status(broken.id)).toBe('failed')
  expect((await call('POST', '/2/tweets', { media: { media_ids: [broken.id] } })).status).toBe(400)
})

test('SOC-25 X says how much of a window is left, and refuses the rest', async () => {
  const sent = await call('POST', '/2/tweets', { text: '1' })
  expect(sent.headers.get('x-rate-limit-limit')).toBe('100')
  expect(sent.headers.get('x-rate-limit-remaining')).toBe('99')
  x.leave('api POST /2/tweets', ada, 0)
  const refused = await call('POST', '/2/tweets', { text: '2' })
  expect([refused.status, refused.headers.get('x-rate-limit-remaining'), refused.headers.get('retry-after')]).toEqual([
    429,
    '0',
    null,
  ])
  expect(Number(refused.headers.get('x-rate-limit-reset'))).toBeGreaterThan(Date.now() / 1000)
  x.clock.advance(900_000)
  expect((await call('POST', '/2/tweets', { text: '2' })).status).toBe(201)
})

test('SOC-07 X answers for a profile on the legacy host too, and knows no other path there', async () => {
  const headers = { authorization: `Bearer ${x.signIn(ada).access_token}` }
  expect((await fetch(`${x.urls.legacy}/2/users/me`, { headers })).status).toBe(200)
  expect((await fetch(`${x.urls.legacy}/2/tweets`, { headers, method: 'POST' })).status).toBe(404)
})

test('SOC-24 X refuses a repeated text where a test says so', async () => {
  await open({ refusesDuplicates: true })
  expect((await call('POST', '/2/tweets', { text: 'x' })).status).toBe(201)
  expect(at(await read(call('POST', '/2/tweets', { text: 'x' })), 'detail')).toContain('duplicate content')
})

test('SOC-24 X meets every fault', async () => {
  const title = (text: string) => ({ title: text, type: 'about:blank' })
  await meetEveryFault(
    x,
    'api POST /2/tweets',
    (signal) => call('POST', '/2/tweets', { text: 'x' }, undefined, signal),
    () => x.posts(ada).length,
    {
      unauthorized: { status: 401, body: title('Unauthorized') },
      forbidden: { status: 403, body: title('Forbidden') },
      rate_limited: {
        status: 429,
        body: title('Too Many Requests'),
        headers: { 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': /^\d{10}$/ },
      },
      server_error: { status: 503, body: title('Service Unavailable') },
      expired_token: { status: 401, body: title('Unauthorized') },
      revoked_token: { status: 401, body: title('Unauthorized') },
      media_refused: { status: 400, body: { title: 'Invalid Request' } },
    },
  )
})
