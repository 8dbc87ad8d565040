import { afterEach, beforeEach, expect, test } from 'bun:test'
import { startTikTok, type TikTokCounterpart } from '../counterparts/tiktok/index.ts'
import type { Creator } from '../counterparts/tiktok/publications.ts'
import type { Consent } from '../counterparts/wire/grants.ts'
import { meetEveryFault } from './every-fault.ts'
import { at, read } from './read.ts'

const redirectUri = 'https://app.example/callback'
const allScopes = 'user.info.basic,video.publish,video.upload'
let tiktok: TikTokCounterpart
let ada: Creator

const open = async (
  options: Parameters<typeof startTikTok>[0] = {},
  creator: Parameters<typeof tiktok.creator>[1] = {},
) => {
  await tiktok?.stop()
  tiktok = startTikTok({ redirectUris: [redirectUri], minChunk: 4, maxChunk: 8, limit: 50, ...options })
  ada = tiktok.creator('ada', creator)
}
beforeEach(() => open())
afterEach(() => tiktok.stop())

const accessToken = () => tiktok.signIn(ada).access_token
const call = (path: string, body: unknown, token = accessToken(), signal?: AbortSignal) =>
  fetch(`${tiktok.urls.api}/v2/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json; charset=UTF-8' },
    body: JSON.stringify(body),
    signal,
  })
const code = async (path: string, body: unknown) => at(await read(call(path, body)), 'error.code')
const form = (path: string, fields: Record<string, string>) =>
  read(
    fetch(`${tiktok.urls.api}/v2/oauth/${path}/`, {
      method: 'POST',
      body: new URLSearchParams({ client_key: 'tiktok-key', client_secret: 'tiktok-secret', ...fields }),
    }),
  )
const consent = (choice?: Consent, more: Record<string, string> = {}) => {
  const query = {
    response_type: 'code',
    client_key: 'tiktok-key',
    redirect_uri: redirectUri,
    scope: allScopes,
    state: 's',
    ...more,
  }
  return new URL(tiktok.consent(`${tiktok.urls.www}/v2/auth/authorize/?${new URLSearchParams(query)}`, ada, choice))
}
const redeem = (value: string | null, more: Record<string, string> = {}) =>
  form('token', { grant_type: 'authorization_code', code: value ?? '', redirect_uri: redirectUri, ...more })

const videoOf = (size: number, chunk = size, count = 1, info: object = {}) => ({
  post_info: { title: 'Tea', privacy_level: 'PUBLIC_TO_EVERYONE', disable_comment: false, ...info },
  source_info: { source: 'FILE_UPLOAD', video_size: size, chunk_size: chunk, total_chunk_count: count },
})
const photos = (info: object = {}) => ({
  media_type: 'PHOTO',
  post_mode: 'DIRECT_POST',
  post_info: { title: 'Tea', description: 'Green', privacy_level: 'PUBLIC_TO_EVERYONE', ...info },
  source_info: {
    source: 'PULL_FROM_URL',
    photo_images: ['https://app.example/a.jpg', 'https://app.example/b.jpg'],
    photo_cover_index: 0,
  },
})
const put = (url: string, from: number, to: number, size: number) =>
  fetch(url, {
    method: 'PUT',
    headers: { 'content-type': 'video/mp4', 'content-range': `bytes ${from}-${to}/${size}` },
    body: new Uint8Array(to - from + 1),
  })
const status = (publish_id: string) => read(call('post/publish/status/fetch/', { publish_id }))

test('SOC-06 TikTok gives tokens whose lifetimes it names, and each refresh token works once', async () => {
  const value = consent().searchParams.get('code')
  expect(value).toEndWith('*1!6201')
  expect(
    (
      await redeem(
        encodeURIComponent(value ?? '')
          .replace('!', '%21')
          .replace('*', '%2A'),
      )
    ).status,
  ).toBe(400)
  const given = await redeem(value)
  expect(given.body).toMatchObject({
    open_id: ada.id,
    scope: allScopes,
    expires_in: 7200,
    refresh_expires_in: 15_552_000,
    token_type: 'Bearer',
  })
  expect((await redeem(value)).body).toMatchObject({ error: 'invalid_grant', log_id: expect.any(String) })
  const refresh_token = at(given, 'refresh_token')
  const renewed = await form('token', { grant_type: 'refresh_token', refresh_token })
  expect(at(renewed, 'refresh_token')).not.toBe(refresh_token)
  expect((await form('token', { grant_type: 'refresh_token', refresh_token })).status).toBe(400)
  expect((await form('revoke', { token: at(renewed, 'access_token') })).status).toBe(200)
  const again = await form('token', { grant_type: 'refresh_token', refresh_token: at(renewed, 'refresh_token') })
  expect(at(again, 'error')).toBe('invalid_grant')
})

test('SOC-05 TikTok passes denials and partial grants on, and its challenge is hexadecimal', async () => {
  expect(consent({ allows: false }).searchParams.get('error')).toBe('access_denied')
  expect(() => consent({}, { scope: 'user.info.basic,email' })).toThrow('email is invalid')
  const partial = consent({ without: ['video.publish'] }).searchParams
  expect(partial.get('scopes')).toBe('user.info.basic,video.upload')
  const token = at(await redeem(partial.get('code')), 'access_token')
  const refused = await read(call('post/publish/creator_info/query/', {}, token))
  expect([refused.status, at(refused, 'error.code')]).toEqual([401, 'scope_not_authorized'])
  const code_challenge = new Bun.CryptoHasher('sha256').update('verifier').digest('hex')
  const challenged = () => consent({}, { code_challenge, code_challenge_method: 'S256' }).searchParams.get('code')
  expect((await redeem(challenged(), { code_verifier: 'other' })).status).toBe(400)
  expect((await redeem(challenged(), { code_verifier: 'verifier' })).status).toBe(200)
})

test('SOC-06 TikTok names the creator and the options for posts', async () => {
  const headers = { authorization: `Bearer ${accessToken()}` }
  const info = await read(fetch(`${tiktok.urls.api}/v2/user/info/?fields=open_id,display_name,username`, { headers }))
  expect(info.body).toMatchObject({
    data: { user: { open_id: ada.id, display_name: 'ADA', username: 'ada' } },
    error: { code: 'ok' },
  })
  expect((await read(call('post/publish/creator_info/query/', {}))).body).toMatchObject({
    data: { creator_username: 'ada', privacy_level_options: ada.privacyOptions, max_video_post_duration_sec: 600 },
  })
})

test('SOC-25 TikTok takes videos in chunks, in order, and processes them', async () => {
  await open({ processing: 1, minChunk: 4, maxChunk: 8 })
  const started = await read(call('post/publish/video/init/', videoOf(11, 4, 2)))
  const [id, url] = [at(started, 'data.publish_id'), at(started, 'data.upload_url')]
  expect((await put(url, 4, 10, 11)).status).toBe(416)
  expect((await put(url, 0, 3, 11)).status).toBe(206)
  expect(at(await status(id), 'data.uploaded_bytes')).toBe('4')
  expect((await put(url, 4, 7, 11)).status).toBe(416)
  expect((await put(url, 4, 10, 11)).status).toBe(201)
  expect(at(await status(id), 'data.status')).toBe('PROCESSING_UPLOAD')
  const complete = await call('post/publish/status/fetch/', { publish_id: id })
  const post = tiktok.posts(ada)[0]
  // As a number it would lose its last digits.
  expect(await complete.text()).toContain(`"status":"PUBLISH_COMPLETE","publicaly_available_post_id":[${post?.id}]`)
  expect(post).toMatchObject({ kind: 'VIDEO', title: 'Tea', size: 11, privacy: 'PUBLIC_TO_EVERYONE' })
  tiktok.breakVideos(1)
  const broken = await read(call('post/publish/video/init/', videoOf(4)))
  await put(at(broken, 'data.upload_url'), 0, 3, 4)
  await status(at(broken, 'data.publish_id'))
  expect((await status(at(broken, 'data.publish_id'))).body).toMatchObject({
    data: { status: 'FAILED', fail_reason: 'file_format_check_failed' },
  })
  expect(tiktok.posts(ada)).toHaveLength(1)
})

test('SOC-14 TikTok refuses wrong chunks, long titles and unknown fields', async () => {
  expect(await code('post/publish/video/init/', videoOf(11, 3, 3))).toBe('invalid_params')
  expect(await code('post/publish/video/init/', videoOf(11, 4, 3))).toBe('invalid_params')
  expect(await code('post/publish/video/init/', videoOf(4, 4, 1, { title: 'x'.repeat(2201) }))).toBe('invalid_params')
  expect(await code('post/publish/video/init/', videoOf(4, 4, 1, { caption: 'x' }))).toBe('invalid_params')
  const headers = { authorization: `Bearer ${accessToken()}` }
  const url = `${tiktok.urls.api}/v2/post/publish/video/init/`
  expect((await fetch(url, { method: 'POST', headers, body: '{}' })).status).toBe(400)
})

test('SOC-23 TikTok publishes photos by URL, and videos to the inbox', async () => {
  const sent = await read(call('post/publish/content/init/', photos()))
  expect(at(await status(at(sent, 'data.publish_id')), 'data.status')).toBe('PUBLISH_COMPLETE')
  const { source_info } = videoOf(4)
  const inbox = await read(call('post/publish/inbox/video/init/', { source_info }))
  await put(at(inbox, 'data.upload_url'), 0, 3, 4)
  expect(at(await status(at(inbox, 'data.publish_id')), 'data.status')).toBe('SEND_TO_USER_INBOX')
  expect(tiktok.posts(ada)).toMatchObject([
    { kind: 'PHOTO', title: 'Tea', description: 'Green', size: 2, isInInbox: false },
    { kind: 'VIDEO', isInInbox: true },
  ])
  const list = await read(call('video/list/?fields=id,title,share_url', { max_count: 5 }))
  expect(list.body).toMatchObject({
    data: { videos: [{ title: 'Tea', share_url: expect.any(String) }], has_more: false },
  })
})

test('SOC-06 TikTok refuses privacy that the creator lacks, foreign URLs and unaudited apps', async () => {
  await open({ ownedUrls: ['https://other.example/'] }, { privacyOptions: ['SELF_ONLY'], isPrivate: true })
  expect(await code('post/publish/content/init/', photos())).toBe('privacy_level_option_mismatch')
  const own = { privacy_level: 'SELF_ONLY' }
  expect(await code('post/publish/content/init/', photos(own))).toBe('url_ownership_unverified')
  await open({ isUnaudited: true })
  const unaudited = 'unaudited_client_can_only_post_to_private_accounts'
  expect(await code('post/publish/content/init/', photos(own))).toBe(unaudited)
  await open({ isUnaudited: true }, { isPrivate: true })
  expect(await code('post/publish/content/init/', photos())).toBe(unaudited)
  expect(await code('post/publish/content/init/', photos(own))).toBe('ok')
})

test('SOC-25 TikTok limits the publications that start in a minute', async () => {
  await open({ limit: 1 })
  expect(await code('post/publish/content/init/', photos())).toBe('ok')
  expect(await code('post/publish/content/init/', photos())).toBe('rate_limit_exceeded')
  tiktok.clock.advance(60_000)
  expect(await code('post/publish/content/init/', photos())).toBe('ok')
})

test('SOC-07 TikTok refuses tokens after their lifetime', async () => {
  const token = accessToken()
  tiktok.clock.advance(7_200_000)
  const refused = await read(call('post/publish/content/init/', photos(), token))
  expect([refused.status, at(refused, 'error.code')]).toEqual([401, 'access_token_invalid'])
})

test('SOC-24 TikTok meets every fault', async () => {
  await meetEveryFault(
    tiktok,
    'api POST /v2/post/publish/content/init/',
    (signal) => call('post/publish/content/init/', photos(), accessToken(), signal),
    () => tiktok.posts(ada).length,
    {
      unauthorized: { status: 401, body: { error: { code: 'access_token_invalid' } } },
      forbidden: { status: 403, body: { error: { code: 'spam_risk_user_banned_from_posting' } } },
      rate_limited: { status: 429, body: { error: { code: 'rate_limit_exceeded' } } },
      server_error: { status: 500, body: { error: { code: 'internal_error' } } },
      expired_token: { status: 401, body: { error: { code: 'access_token_invalid' } } },
      revoked_token: { status: 401, body: { error: { code: 'access_token_invalid' } } },
      media_refused: { status: 403, body: { error: { code: 'url_ownership_unverified' } } },
    },
  )
})
