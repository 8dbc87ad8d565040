import { afterEach, beforeEach, expect, test } from 'bun:test'
import { startYouTube, type Channel, type YouTubeCounterpart } from '../counterparts/youtube/index.ts'
import { challengeOf, type Consent } from '../counterparts/wire/grants.ts'
import { meetEveryFault } from './every-fault.ts'
import { at, read } from './read.ts'

const redirectUri = 'https://app.example/callback'
const scope = ['upload', 'readonly'].map((name) => `https://www.googleapis.com/auth/youtube.${name}`)
const verifier = 'v'.repeat(43)
const granule = 256 * 1024
let youtube: YouTubeCounterpart
let ada: Channel

const open = async (options: Parameters<typeof startYouTube>[0] = {}) => {
  await youtube?.stop()
  youtube = startYouTube({ redirectUris: [redirectUri], ...options })
  ada = youtube.channel('ada')
}
beforeEach(() => open())
afterEach(() => youtube.stop())

const consent = (how?: Consent, more: Record<string, string> = {}) => {
  const query = {
    response_type: 'code',
    client_id: youtube.app.clientId,
    redirect_uri: redirectUri,
    scope: scope.join(' '),
    state: 's',
    access_type: 'offline',
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
    ...more,
  }
  const page = `${youtube.urls.accounts}/o/oauth2/v2/auth?${new URLSearchParams(query)}`
  return new URL(youtube.consent(page, ada, how)).searchParams
}
const form = (path: string, fields: Record<string, string>) =>
  read(fetch(`${youtube.urls.oauth}/${path}`, { method: 'POST', body: new URLSearchParams(fields) }))
const redeem = (code: string | null, more: Record<string, string> = {}) => {
  const { clientId: client_id, clientSecret: client_secret } = youtube.app
  const grant = {
    grant_type: 'authorization_code',
    code: code ?? '',
    redirect_uri: redirectUri,
    code_verifier: verifier,
  }
  return form('token', { client_id, client_secret, ...grant, ...more })
}
const refresh = (refresh_token: string) => {
  const { clientId: client_id, clientSecret: client_secret } = youtube.app
  return form('token', { client_id, client_secret, grant_type: 'refresh_token', refresh_token })
}
const headersOf = (token = youtube.signIn(ada).access_token) => ({ authorization: `Bearer ${token}` })
const get = (path: string, token?: string) =>
  read(fetch(`${youtube.urls.api}/youtube/v3/${path}`, { headers: headersOf(token) }))
const start = (body: unknown, length = 10, more: Record<string, string> = {}, signal?: AbortSignal) =>
  fetch(`${youtube.urls.api}/upload/youtube/v3/videos?uploadType=resumable&part=snippet,status`, {
    method: 'POST',
    headers: {
      ...headersOf(),
      'content-type': 'application/json; charset=UTF-8',
      'x-upload-content-type': 'video/mp4',
      'x-upload-content-length': String(length),
      ...more,
    },
    body: JSON.stringify(body),
    signal,
  })
const video = (snippet: object = {}, status: object = {}) => ({ snippet: { title: 'Tea', ...snippet }, status })
const reasonOf = async (response: Promise<Response>) => at(await read(response), 'error.errors.0.reason')
const open1 = async (length: number, body = video({}, { privacyStatus: 'unlisted' })) =>
  (await start(body, length)).headers.get('location') ?? ''
const put = (url: string, range: string | null, bytes = 0) =>
  fetch(url, {
    method: 'PUT',
    headers: { ...headersOf(), 'content-type': 'video/mp4', ...(range !== null && { 'content-range': range }) },
    body: new Uint8Array(bytes),
  })

test('SOC-07 Google gives a refresh token at the first offline consent or with prompt=consent, and keeps it', async () => {
  const first = await redeem(consent().get('code'))
  expect(first.body).toMatchObject({ expires_in: 3599, token_type: 'Bearer', scope: scope.join(' ') })
  const refreshToken = at(first, 'refresh_token')
  for (const _ of [1, 2]) {
    const renewed = await refresh(refreshToken)
    expect([renewed.status, 'refresh_token' in (renewed.body as object)]).toEqual([200, false])
  }
  expect((await redeem(consent().get('code'))).body).not.toHaveProperty('refresh_token')
  const again = await redeem(consent({}, { prompt: 'consent' }).get('code'))
  expect(again.body).toHaveProperty('refresh_token')
  expect((await form('revoke', { token: refreshToken, client_id: 'x' })).status).toBe(400)
  expect((await form('revoke', { token: refreshToken })).status).toBe(200)
  expect(at(await refresh(at(again, 'refresh_token')), 'error')).toBe('invalid_grant')
  expect(at(await form('revoke', { token: refreshToken }), 'error')).toBe('invalid_token')
})

test('SOC-05 Google passes denials and partial grants on, and holds codes to their challenge', async () => {
  expect(consent({ allows: false }).get('error')).toBe('access_denied')
  expect(() => consent({}, { scope: 'email' })).toThrow('invalid_scope')
  expect(() => consent({}, { access_type: 'always' })).toThrow('access_type')
  const partial = consent({ without: [scope[0] ?? ''] })
  expect(partial.get('scope')).toBe(scope[1] ?? '')
  const token = at(await redeem(partial.get('code')), 'access_token')
  expect((await get('channels?part=snippet&mine=true', token)).status).toBe(200)
  expect((await redeem(consent().get('code'), { code_verifier: 'w'.repeat(43) })).body).toMatchObject({
    error: 'invalid_grant',
    error_description: 'Invalid code verifier.',
  })
  const used = consent().get('code')
  expect([(await redeem(used)).status, (await redeem(used)).status]).toEqual([200, 400])
  expect(at(await redeem(consent().get('code'), { redirect_uri: 'https://a.example/' }), 'error')).toBe(
    'redirect_uri_mismatch',
  )
  expect((await redeem(consent().get('code'), { client_secret: 'wrong' })).status).toBe(401)
  expect((await redeem(consent().get('code'), { extra: '1' })).status).toBe(400)
})

test('SOC-06 YouTube names the channel, and leaves the items out without one', async () => {
  expect((await get('channels?part=snippet,contentDetails&mine=true')).body).toMatchObject({
    items: [
      {
        id: ada.id,
        snippet: { customUrl: '@ada' },
        contentDetails: { relatedPlaylists: { uploads: `UU${ada.id.slice(2)}` } },
      },
    ],
  })
  expect((await get('channels?part=snippet,secrets&mine=true')).status).toBe(400)
  const none = youtube.channel('none', { isMissing: true })
  const found = await get('channels?part=snippet&mine=true', youtube.signIn(none).access_token)
  expect([found.status, 'items' in (found.body as object)]).toEqual([200, false])
})

test('SOC-24 YouTube receives a video in multiples of 256 KiB, says how much it has, and makes one video of it', async () => {
  await open({ processing: 1 })
  const size = granule + 10
  const url = await open1(size)
  const probe = () => put(url, `bytes */${size}`)
  expect([(await probe()).status, (await probe()).headers.get('range')]).toEqual([308, null])
  expect((await put(url, `bytes 0-99/${size}`, 100)).status).toBe(400)
  expect((await put(url, `bytes 0-${granule - 1}/${size + 1}`, granule)).status).toBe(400)
  expect((await put(url, `bytes 0-${granule - 1}/${size}`, granule)).headers.get('range')).toBe(
    `bytes=0-${granule - 1}`,
  )
  expect((await put(url, `bytes ${granule + 1}-${size - 1}/${size}`, 9)).status).toBe(400)
  const done = await read(put(url, `bytes ${granule}-${size - 1}/${size}`, 10))
  expect(done.body).toMatchObject({
    snippet: { title: 'Tea' },
    status: { uploadStatus: 'uploaded', privacyStatus: 'unlisted' },
  })
  expect((await read(probe())).body).toMatchObject({ id: at(done, 'id') })
  expect(youtube.videos(ada)).toMatchObject([{ size, privacy: 'unlisted', notified: true }])
  const state = async () =>
    at(await get(`videos?part=status,processingDetails&id=${at(done, 'id')}`), 'items.0.status.uploadStatus')
  expect([await state(), await state()]).toEqual(['uploaded', 'processed'])
  const list = await get(`playlistItems?part=snippet,contentDetails&playlistId=UU${ada.id.slice(2)}&maxResults=50`)
  expect(list.body).toMatchObject({
    items: [{ snippet: { title: 'Tea' }, contentDetails: { videoId: at(done, 'id') } }],
  })
  youtube.forgetSessions()
  expect((await probe()).status).toBe(404)
})

test('SOC-14 YouTube refuses what its documentation doesn’t have', async () => {
  expect(await reasonOf(start(video({ title: 'x'.repeat(101) })))).toBe('invalidTitle')
  expect(await reasonOf(start(video({ title: '<b>' })))).toBe('invalidTitle')
  expect(await reasonOf(start(video({ description: 'é'.repeat(2501) })))).toBe('invalidDescription')
  expect(await reasonOf(start(video({ tags: ['x'.repeat(300), 'y'.repeat(200)] })))).toBe('invalidTags')
  expect(await reasonOf(start(video({ caption: 'x' })))).toBe('badRequest')
  expect(await reasonOf(start(video(), 10, { 'content-type': 'text/plain' }))).toBe('badContent')
  expect(await reasonOf(start(video(), 10, { 'x-upload-content-type': 'image/png' }))).toBe('badContent')
  expect(await reasonOf(start(video({}, { privacyStatus: 'friends' })))).toBe('badRequest')
  expect(youtube.videos(ada)).toEqual([])
})

test('SOC-06 YouTube makes videos public by default, and those of unaudited projects private', async () => {
  await put(await open1(5, video()), null, 5)
  await open({ isUnaudited: true })
  await put(await open1(5, video({}, { privacyStatus: 'public' })), null, 5)
  expect(youtube.videos(ada)).toMatchObject([{ privacy: 'private' }])
})

test('SOC-23 YouTube says why a video wasn’t processed', async () => {
  youtube.breakVideos({ state: 'rejected', reason: 'duplicate' })
  const { body } = await read(put(await open1(5), null, 5))
  expect((await get(`videos?part=status&id=${(body as { id: string }).id}`)).body).toMatchObject({
    items: [{ status: { uploadStatus: 'rejected', rejectionReason: 'duplicate' } }],
  })
})

test('SOC-25 YouTube limits a project until midnight Pacific, and a channel to some uploads a day', async () => {
  youtube.leaveUploads(1)
  expect((await start(video())).status).toBe(200)
  expect(await reasonOf(start(video()))).toBe('quotaExceeded')
  youtube.clock.advance(86_400_000)
  expect((await start(video())).status).toBe(200)
  ada.uploadsPerDay = 0
  expect(await reasonOf(start(video()))).toBe('uploadLimitExceeded')
})

test('SOC-07 YouTube refuses tokens after their hour, and those without the scope', async () => {
  const token = youtube.signIn(ada).access_token
  const reader = youtube.signIn(ada, scope.slice(1)).access_token
  const refused = await read(start(video(), 10, headersOf(reader)))
  expect([refused.status, at(refused, 'error.errors.0.reason')]).toEqual([403, 'insufficientPermissions'])
  youtube.clock.advance(3_600_000)
  const expired = await get('channels?part=snippet&mine=true', token)
  expect([expired.status, at(expired, 'error.errors.0.reason')]).toEqual([401, 'authError'])
})

test('SOC-24 YouTube meets every fault', async () => {
  const send = async (signal?: AbortSignal) =>
    fetch(await open1(5), {
      method: 'PUT',
      keepalive: false,
      headers: headersOf(),
      body: new Uint8Array(5),
      ...(signal && { signal }),
    })
  await meetEveryFault(youtube, 'api PUT /upload/youtube/v3/videos', send, () => youtube.videos(ada).length, {
    unauthorized: { status: 401, body: { error: { errors: [{ reason: 'authError' }] } } },
    forbidden: { status: 403, body: { error: { errors: [{ reason: 'forbidden' }] } } },
    rate_limited: { status: 429, body: { error: { errors: [{ reason: 'rateLimitExceeded' }] } } },
    server_error: { status: 503, body: { error: { errors: [{ reason: 'backendError' }] } } },
    expired_token: { status: 401, body: { error: { errors: [{ reason: 'authError' }] } } },
    revoked_token: { status: 401, body: { error: { errors: [{ reason: 'authError' }] } } },
    media_refused: { status: 400, body: { error: { errors: [{ reason: 'badContent' }] } } },
  })
})

const commenting = [...scope, 'https://www.googleapis.com/auth/youtube.force-ssl']
const commentAs = (
  channel: Channel,
  body: unknown,
  { more = {}, query = 'part=snippet', granted = commenting, signal }: CommentOptions = {},
) =>
  fetch(`${youtube.urls.api}/youtube/v3/commentThreads?${query}`, {
    method: 'POST',
    keepalive: false,
    headers: {
      ...headersOf(youtube.signIn(channel, granted).access_token),
      'content-type': 'application/json',
      ...more,
    },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })
interface CommentOptions {
  more?: Record<string, string>
  query?: string
  granted?: string[]
  signal?: AbortSignal | undefined
}
const thread = (videoId: string | undefined, textOriginal = 'First', more: object = {}) => ({
  snippet: { videoId, topLevelComment: { snippet: { textOriginal } }, ...more },
})
const publishVideo = async (status: object = { privacyStatus: 'unlisted' }): Promise<string> => {
  await put(await open1(5, video({}, status)), null, 5)
  return youtube.videos(ada).at(-1)?.id ?? ''
}
const listComments = (videoId: string, more = '') =>
  get(
    `commentThreads?part=snippet&videoId=${videoId}&order=time&textFormat=plainText${more}`,
    youtube.signIn(ada, commenting).access_token,
  )

test('SOC-10 YouTube writes a comment below a video, and lists the newest first with its author', async () => {
  const id = await publishVideo()
  youtube.addComment(id, 'Nice')
  const written = await read(commentAs(ada, thread(id, 'Recipe < below\nEnjoy')))
  expect(written).toMatchObject({
    status: 200,
    body: {
      snippet: { topLevelComment: { snippet: { textDisplay: 'Recipe &lt; below<br>Enjoy', videoId: id } } },
    },
  })
  const { body } = await listComments(id, '&maxResults=1')
  expect(body).toMatchObject({
    nextPageToken: '1',
    items: [
      {
        id: at(written, 'id'),
        snippet: {
          topLevelComment: {
            snippet: { textOriginal: 'Recipe < below\nEnjoy', authorChannelId: { value: ada.id } },
          },
        },
      },
    ],
  })
  const second = await listComments(id, '&maxResults=1&pageToken=1')
  expect(second.body).not.toHaveProperty('nextPageToken')
  expect(JSON.stringify(second.body)).not.toContain('textOriginal')
})

test('SOC-10 YouTube lists comments that are held for review only on request', async () => {
  const id = await publishVideo()
  youtube.holdComments(1)
  await commentAs(ada, thread(id))
  expect((await listComments(id)).body).toMatchObject({ items: [] })
  expect((await listComments(id, '&moderationStatus=heldForReview')).body).toMatchObject({ items: [{}] })
  expect((await listComments(id, '&moderationStatus=likelySpam')).body).toMatchObject({ items: [] })
})

test('SOC-10 YouTube refuses comments that its documentation doesn’t have', async () => {
  const id = await publishVideo()
  const refused = async (body: unknown, options?: CommentOptions) => reasonOf(commentAs(ada, body, options))
  expect(await refused(thread(id), { granted: scope })).toBe('insufficientPermissions')
  expect(await refused(thread(id), { more: { 'content-type': 'text/plain' } })).toBe('badRequest')
  expect(await refused(thread(id), { more: { authorization: '' } })).toBe('authError')
  expect(await refused(thread(id), { query: 'part=snippet&key=1' })).toBe('badRequest')
  expect(await refused(thread(id), { query: 'part=secrets' })).toBe('unknownPart')
  expect(await refused(thread(id), { query: 'part=id' })).toBe('unexpectedPart')
  expect(await refused(thread(id, 'First', { isPublic: true }))).toBe('badRequest')
  expect(await refused(thread(undefined))).toBe('channelOrVideoIdMissing')
  expect(await refused(thread(id, 'First', { channelId: 'UCother' }))).toBe('channelNotFound')
  expect(await refused(thread(id, ' '))).toBe('commentTextRequired')
  expect(await refused(thread(id, 'x'.repeat(10_001)))).toBe('commentTextTooLong')
  expect(await refused(thread('unknown'))).toBe('videoNotFound')
  expect(await refused(thread(await publishVideo({ privacyStatus: 'private' })))).toBe('commentsDisabled')
  expect(await refused(thread(await publishVideo({ privacyStatus: 'public', selfDeclaredMadeForKids: true })))).toBe(
    'commentsDisabled',
  )
  ada.hasNoComments = true
  expect(await refused(thread(id))).toBe('commentsDisabled')
  expect(youtube.comments(ada)).toEqual([])
  expect((await commentAs(ada, thread(id, 'x'.repeat(10_000)))).status).toBe(403)
})

test('SOC-25 YouTube takes 50 units of the quota for a comment', async () => {
  await open({ quota: { uploads: 10, units: 101 } })
  const id = await publishVideo()
  for (const status of [200, 200, 403]) expect((await commentAs(ada, thread(id))).status).toBe(status)
  expect(youtube.comments(ada)).toHaveLength(2)
})

test('SOC-24 YouTube meets every fault of a comment', async () => {
  const id = await publishVideo()
  const send = (signal?: AbortSignal) => commentAs(ada, thread(id), { signal })
  await meetEveryFault(youtube, 'api POST /youtube/v3/commentThreads', send, () => youtube.comments(ada).length, {
    unauthorized: { status: 401, body: { error: { errors: [{ reason: 'authError' }] } } },
    forbidden: { status: 403, body: { error: { errors: [{ reason: 'forbidden' }] } } },
    rate_limited: { status: 429, body: { error: { errors: [{ reason: 'rateLimitExceeded' }] } } },
    server_error: { status: 503, body: { error: { errors: [{ reason: 'backendError' }] } } },
    expired_token: { status: 401, body: { error: { errors: [{ reason: 'authError' }] } } },
    revoked_token: { status: 401, body: { error: { errors: [{ reason: 'authError' }] } } },
    media_refused: { status: 400, body: { error: { errors: [{ reason: 'badContent' }] } } },
  })
})
