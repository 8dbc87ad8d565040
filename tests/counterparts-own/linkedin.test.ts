import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Member, Organization } from '../counterparts/linkedin/directory.ts'
import { startLinkedIn, type LinkedInCounterpart } from '../counterparts/linkedin/index.ts'
import type { Consent } from '../counterparts/wire/grants.ts'
import { meetEveryFault } from './every-fault.ts'
import { at, read } from './read.ts'

const redirectUri = 'https://app.example/callback'
let linkedin: LinkedInCounterpart
let ada: Member
let acme: Organization

const open = async (options: Parameters<typeof startLinkedIn>[0] = {}) => {
  await linkedin?.stop()
  linkedin = startLinkedIn({ redirectUris: [redirectUri], ...options })
  ada = linkedin.directory.member('Ada Lovelace')
  acme = linkedin.directory.organization('Acme Inc', ada)
}
beforeEach(() => open())
afterEach(() => linkedin.stop())

const version = (months = 0) => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months)).toISOString().slice(0, 7).replace('-', '')
}
const headersOf = (token: string) => ({
  authorization: `Bearer ${token}`,
  'linkedin-version': version(),
  'x-restli-protocol-version': '2.0.0',
})
const pageToken = () => linkedin.signIn(ada, 'page').access_token
const memberToken = () => linkedin.signIn(ada).access_token
const call = (
  method: string,
  path: string,
  body?: unknown,
  token = memberToken(),
  more: Record<string, string> = {},
  signal?: AbortSignal,
) =>
  fetch(`${linkedin.urls.api}${path}`, {
    method,
    headers: { ...headersOf(token), ...(body !== undefined && { 'content-type': 'application/json' }), ...more },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal,
  })
const post = (commentary: string, more: object = {}) => ({
  author: ada.urn,
  commentary,
  visibility: 'PUBLIC',
  distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
  lifecycleState: 'PUBLISHED',
  isReshareDisabledByAuthor: false,
  ...more,
})
const authorizeUrl = (scope: string, clientId = linkedin.apps.member.clientId) => {
  const query = { response_type: 'code', client_id: clientId, redirect_uri: redirectUri, state: 's', scope }
  return `${linkedin.urls.www}/oauth/v2/authorization?${new URLSearchParams(query)}`
}
const token = (fields: Record<string, string>) =>
  read(
    fetch(`${linkedin.urls.www}/oauth/v2/accessToken`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'li-member', client_secret: 'li-member-secret', ...fields }),
    }),
  )
const redeem = (code: string | null, more: Record<string, string> = {}) =>
  token({ grant_type: 'authorization_code', code: code ?? '', redirect_uri: redirectUri, ...more })
const consented = (scope: string, consent?: Consent) =>
  new URL(linkedin.consent(authorizeUrl(scope), ada, consent)).searchParams

test('SOC-06 LinkedIn gives members a token for 60 days without a refresh token', async () => {
  const code = consented('openid profile w_member_social').get('code')
  const given = await redeem(code)
  expect(given.body).toEqual({
    access_token: expect.any(String),
    expires_in: 5_184_000,
    scope: 'openid,profile,w_member_social',
    token_type: 'Bearer',
  })
  expect((await redeem(code)).status).toBe(400)
  const info = await fetch(`${linkedin.urls.api}/v2/userinfo`, {
    headers: { authorization: `Bearer ${at(given, 'access_token')}` },
  })
  expect(await info.json()).toMatchObject({ sub: ada.id, name: 'Ada Lovelace', given_name: 'Ada' })
  expect((await redeem(consented('openid').get('code'), { client_secret: 'x' })).status).toBe(401)
})

test('SOC-05 LinkedIn sends denials and foreign scopes back with an error', () => {
  expect(consented('openid', { allows: false }).get('error')).toBe('user_cancelled_authorize')
  expect(consented('openid w_organization_social').get('error')).toBe('unauthorized_scope_error')
  expect(() => linkedin.consent(authorizeUrl('openid', 'other'), ada)).toThrow('app is unknown')
})

test('SOC-07 LinkedIn refreshes tokens of approved partners until a fixed end', async () => {
  await open({ isPartner: true })
  const given = await redeem(consented('w_member_social').get('code'))
  expect(at(given, 'refresh_token_expires_in')).toBe('31536000')
  linkedin.clock.advance(86_400_000)
  const refresh_token = at(given, 'refresh_token')
  const renewed = await token({ grant_type: 'refresh_token', refresh_token })
  expect(at(renewed, 'refresh_token')).toBe(refresh_token)
  expect(Number(at(renewed, 'refresh_token_expires_in'))).toBeLessThanOrEqual(31_536_000 - 86_400)
  linkedin.clock.advance(365 * 86_400_000)
  expect((await token({ grant_type: 'refresh_token', refresh_token })).body).toMatchObject({ error: 'invalid_grant' })
})

test('SOC-25 LinkedIn tells unknown, expired and revoked tokens apart', async () => {
  const code = async (value: string) => at(await read(call('POST', '/rest/posts', post('x'), value)), 'code')
  const [expired, revoked] = [memberToken(), memberToken()]
  expect(await code('unknown')).toBe('INVALID_ACCESS_TOKEN')
  const form = new URLSearchParams({ client_id: 'li-member', client_secret: 'li-member-secret', token: revoked })
  expect((await fetch(`${linkedin.urls.www}/oauth/v2/revoke`, { method: 'POST', body: form })).status).toBe(200)
  expect(await code(revoked)).toBe('REVOKED_ACCESS_TOKEN')
  linkedin.grants.expire(ada.id, 'access')
  expect(await code(expired)).toBe('EXPIRED_ACCESS_TOKEN')
})

test('SOC-15 LinkedIn needs a version, and each one ends after a year', async () => {
  const status = async (headers: Record<string, string>) =>
    (await call('POST', '/rest/posts', post('x'), memberToken(), headers)).status
  expect(await status({ 'linkedin-version': '' })).toBe(400)
  expect(await status({ 'linkedin-version': version(11) })).toBe(201)
  expect(await status({ 'linkedin-version': version(12) })).toBe(426)
  expect(await status({ 'x-restli-protocol-version': '' })).toBe(400)
  linkedin.sunset(version())
  expect((await read(call('POST', '/rest/posts', post('x')))).body).toMatchObject({
    status: 426,
    code: 'NONEXISTENT_VERSION',
    message: `Requested version ${version()} is not active`,
  })
})

test('SOC-14 LinkedIn publishes escaped text and cuts the rest off', async () => {
  const sent = await read(
    call('POST', '/rest/posts', post(String.raw`Tea \(green\) {hashtag|\#|tea} @[Acme](urn:li:organization:1)`)),
  )
  expect([sent.status, sent.body, sent.headers.get('x-restli-id')]).toEqual([
    201,
    null,
    expect.stringMatching(/^urn:li:share:\d+$/),
  ])
  await call('POST', '/rest/posts', post('Tea (green)'))
  expect(linkedin.posts(ada).map(({ text }) => text)).toEqual(['Tea (green) #tea Acme', 'Tea'])
  expect((await call('POST', '/rest/posts', post(String.raw`\#`.repeat(3000)))).status).toBe(201)
  expect((await call('POST', '/rest/posts', post('x'.repeat(3001)))).status).toBe(422)
})

test('SOC-06 LinkedIn lists the organizations of an administrator and posts for them', async () => {
  const list = '/rest/organizationAcls?q=roleAssignee&role=ADMINISTRATOR&state=APPROVED'
  expect((await call('GET', list)).status).toBe(403)
  expect((await read(call('GET', list, undefined, pageToken()))).body).toMatchObject({
    elements: [{ organization: acme.urn, role: 'ADMINISTRATOR', roleAssignee: ada.urn, state: 'APPROVED' }],
  })
  const named = await read(call('GET', `/rest/organizations/${acme.id}`, undefined, pageToken()))
  expect(named.body).toMatchObject({ localizedName: 'Acme Inc', vanityName: 'acme-inc' })
  const sent = await call('POST', '/rest/posts', post('Hello', { author: acme.urn }), pageToken())
  const urn = sent.headers.get('x-restli-id') ?? ''
  const path = `/rest/posts/${encodeURIComponent(urn)}`
  const method = { 'x-restli-method': 'PARTIAL_UPDATE' }
  const patch = { patch: { $set: { commentary: 'Hello again' } } }
  expect((await call('POST', path, patch, pageToken(), method)).status).toBe(204)
  const finder = `/rest/posts?q=author&author=${encodeURIComponent(acme.urn)}&count=10&sortBy=CREATED`
  expect((await read(call('GET', finder, undefined, pageToken()))).body).toMatchObject({
    elements: [{ id: urn, commentary: 'Hello again' }],
  })
  linkedin.directory.dismiss(ada, acme)
  expect((await call('POST', '/rest/posts', post('x', { author: acme.urn }), pageToken())).status).toBe(403)
  linkedin.directory.assign(ada, acme, 'CONTENT_ADMIN')
  expect((await call('DELETE', path, undefined, pageToken())).status).toBe(204)
  expect(linkedin.posts(acme)).toEqual([])
})

test('SOC-24 LinkedIn has no list of a member’s posts', async () => {
  const finder = `/rest/posts?q=author&author=${encodeURIComponent(ada.urn)}`
  expect(at(await read(call('GET', finder)), 'code')).toBe('ACCESS_DENIED')
})

test('SOC-06 LinkedIn refuses unknown, missing and wrong fields', async () => {
  const message = async (body: object) => at(await read(call('POST', '/rest/posts', body)), 'message')
  expect(await message(post('x', { text: 'x' }))).toBe('ERROR :: /text :: unrecognized field found but not allowed\n')
  expect(await message(post('x', { visibility: undefined }))).toContain('/visibility ::')
  expect(await message(post('x', { lifecycleState: 'DRAFT' }))).toContain('/lifecycleState ::')
  expect(await message(post('x', { author: acme.urn }))).toContain('Not enough permissions')
  const text = await call('POST', '/rest/posts', post('x'), memberToken(), { 'content-type': 'text/plain' })
  expect(text.status).toBe(400)
  expect(linkedin.posts(ada)).toEqual([])
})

async function uploadImage(owner = ada.urn) {
  const started = await read(
    call('POST', '/rest/images?action=initializeUpload', { initializeUploadRequest: { owner } }),
  )
  const put = await fetch(at(started, 'value.uploadUrl'), { method: 'PUT', body: new Uint8Array(5) })
  expect(put.status).toBe(201)
  return at(started, 'value.image')
}

test('SOC-23 LinkedIn takes images, several in one post, and documents', async () => {
  const images = [{ id: await uploadImage(), altText: 'One' }, { id: await uploadImage() }]
  await call('POST', '/rest/posts', post('Two', { content: { multiImage: { images } } }))
  await call('POST', '/rest/posts', post('', { content: { media: { id: images[0]?.id, altText: 'One' } } }))
  expect(linkedin.posts(ada).map(({ media }) => media.map(({ alt, bytes }) => [alt, bytes]))).toEqual([
    [
      ['One', 5],
      ['', 5],
    ],
    [['One', 5]],
  ])
  const single = post('x', { content: { multiImage: { images: images.slice(0, 1) } } })
  expect((await call('POST', '/rest/posts', single)).status).toBe(422)
  const status = await call('GET', `/rest/images/${encodeURIComponent(images[0]?.id ?? '')}`)
  expect(status.status).toBe(403)
  const request = { initializeUploadRequest: { owner: acme.urn } }
  const document = await read(call('POST', '/rest/documents?action=initializeUpload', request, pageToken()))
  expect(at(document, 'value.document')).toStartWith('urn:li:document:')
  const notUploaded = post('x', { author: acme.urn, content: { media: { id: at(document, 'value.document') } } })
  expect((await call('POST', '/rest/posts', notUploaded, pageToken())).status).toBe(422)
})

test('SOC-25 LinkedIn takes videos in parts and processes them', async () => {
  await open({ processing: 1, partBytes: 4 })
  const size = { fileSizeBytes: 10, uploadCaptions: false, uploadThumbnail: false }
  const begin = { initializeUploadRequest: { owner: ada.urn, ...size } }
  const started = await read(call('POST', '/rest/videos?action=initializeUpload', begin))
  expect(started.body).toMatchObject({
    value: { uploadInstructions: [{ firstByte: 0, lastByte: 3 }, { firstByte: 4 }, { firstByte: 8, lastByte: 9 }] },
  })
  const uploadedPartIds: string[] = []
  for (const [part, bytes] of [4, 4, 2].entries()) {
    const url = at(started, `value.uploadInstructions.${part}.uploadUrl`)
    expect((await fetch(url, { method: 'PUT', body: new Uint8Array(bytes + 1) })).status).toBe(400)
    const put = await fetch(url, { method: 'PUT', body: new Uint8Array(bytes) })
    uploadedPartIds.push(put.headers.get('etag') ?? '')
  }
  const video = at(started, 'value.video')
  const finish = (ids: string[]) =>
    call('POST', '/rest/videos?action=finalizeUpload', {
      finalizeUploadRequest: { video, uploadToken: at(started, 'value.uploadToken'), uploadedPartIds: ids },
    })
  expect((await finish(uploadedPartIds.toReversed())).status).toBe(400)
  expect((await finish(uploadedPartIds)).status).toBe(200)
  const status = async () => at(await read(call('GET', `/rest/videos/${encodeURIComponent(video)}`)), 'status')
  expect([await status(), await status()]).toEqual(['PROCESSING', 'AVAILABLE'])
  const sent = await call('POST', '/rest/posts', post('x', { content: { media: { id: video, title: 'Film' } } }))
  expect(sent.headers.get('x-restli-id')).toStartWith('urn:li:ugcPost:')
})

test('SOC-22 LinkedIn comments on a post, with an id that is not the URN', async () => {
  const urn = (await call('POST', '/rest/posts', post('Head'))).headers.get('x-restli-id') ?? ''
  const path = `/rest/socialActions/${encodeURIComponent(urn)}/comments`
  const sent = await read(call('POST', path, { actor: ada.urn, object: urn, message: { text: 'First' } }))
  expect(sent.status).toBe(201)
  expect(sent.headers.get('x-restli-id')).toBe(at(sent, 'id'))
  expect(at(sent, 'commentUrn')).toMatch(/^urn:li:comment:\(urn:li:activity:\d+,\d+\)$/)
  expect(linkedin.posts(ada)[0]?.comments.map(({ text }) => text)).toEqual(['First'])
  const long = { actor: ada.urn, object: urn, message: { text: 'x'.repeat(1251) } }
  expect((await call('POST', path, long)).status).toBe(422)
})

test('SOC-24 LinkedIn names the post that a repeated text duplicates, where a test says so', async () => {
  await open({ refusesDuplicates: true })
  const urn = (await call('POST', '/rest/posts', post('x'))).headers.get('x-restli-id')
  expect(at(await read(call('POST', '/rest/posts', post('x'))), 'message')).toBe(`Content is a duplicate of ${urn}`)
})

test('SOC-24 LinkedIn meets every fault', async () => {
  await meetEveryFault(
    linkedin,
    'api POST /rest/posts',
    (signal) => call('POST', '/rest/posts', post('x'), memberToken(), {}, signal),
    () => linkedin.posts(ada).length,
    {
      unauthorized: { status: 401, body: { serviceErrorCode: 65_600 } },
      forbidden: { status: 403, body: { code: 'ACCESS_DENIED' } },
      rate_limited: { status: 429, body: { code: 'TOO_MANY_REQUESTS' } },
      server_error: { status: 503, body: { status: 503 } },
      expired_token: { status: 401, body: { serviceErrorCode: 65_602 } },
      revoked_token: { status: 401, body: { serviceErrorCode: 65_601 } },
      media_refused: { status: 422, body: { code: 'MEDIA_ASSET_PROCESSING_FAILED' } },
    },
  )
})
