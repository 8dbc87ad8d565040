import { youtube } from '@googleapis/youtube'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { z } from 'zod'
import { readConfig } from '#config'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { directAddress } from '#lib/postgres/pool.ts'
import { chosenContexts } from '../../src/contexts.ts'
import { serveVideo, type VideoServer } from '../../src/gateway/practice-video/server.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { serveInProcess, type Server } from '../support/serve-in-process.ts'

// Google's official client and raw requests after its documentation of the resumable protocol: the practice provider is
// held to both, and shares nothing with the gateway's adapter.

let fresh: TestDatabase
let server: Server
let apart: VideoServer

beforeAll(async () => {
  fresh = await freshDatabase()
  server = await serveInProcess({ databaseUrl: fresh.url })
  apart = serveVideo({ at: directAddress(fresh.url), port: 0 })
})

afterAll(async () => {
  await server.stop()
  await apart.stop()
  await fresh.drop()
})

const granule = 256 * 1024
const sha256 = (bytes: Uint8Array) => Bun.CryptoHasher.hash('sha256', bytes, 'hex')

let projects = 100_000
/** A project of its own for each test: quota and behavior don't mix. */
const newProject = () => String((projects += 1))

const client = youtube('v3')
const optionsFor = (token: string) => ({
  rootUrl: `${server.url}/dev/video/`,
  headers: { authorization: `Bearer ${token}` },
  retry: false,
})

const metadata = (more: object = {}, status: object = { privacyStatus: 'private' }) => ({
  snippet: {
    title: 'Autumn blend',
    description: 'In a minute',
    tags: ['coffee', 'new blend'],
    categoryId: '22',
    ...more,
  },
  status,
})

const call = (method: string, path: string, token: string, init: RequestInit = {}, at = server) =>
  fetch(new URL(`dev/video${path}`, at.url), {
    method,
    redirect: 'manual',
    ...init,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...init.headers },
  })

const startPath = '/upload/youtube/v3/videos?uploadType=resumable&part=snippet,status'
const start = (token: string, body: object, headers: Record<string, string> = {}, path = startPath) =>
  call('POST', path, token, {
    body: JSON.stringify(body),
    headers: { 'x-upload-content-type': 'video/mp4', ...headers },
  })

async function startUpload(token: string, length?: number): Promise<string> {
  const headers = length === undefined ? undefined : { 'x-upload-content-length': String(length) }
  const response = await start(token, metadata(), headers)
  expect([response.status, await response.text()]).toEqual([200, ''])
  return response.headers.get('location') ?? ''
}

const put = (url: string, token: string, body: BodyInit | null, range?: string) =>
  fetch(url, {
    method: 'PUT',
    redirect: 'manual',
    // Bun repeats a request whose connection was kept alive and broke.
    keepalive: false,
    body,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'video/mp4',
      ...(range && { 'content-range': range }),
    },
  })

const probe = (url: string, token: string, total: number | '*' = '*') => put(url, token, null, `bytes */${total}`)
const progress = async (response: Response) => {
  await response.body?.cancel()
  return [response.status, response.headers.get('range')]
}

const setBehavior = (behavior: object) =>
  fetch(new URL('dev/video/behavior', server.url), {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(behavior),
  })

const Held = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      sha256: z.string().nullable(),
      pieces: z.array(z.object({ length: z.number(), sha256: z.string() })),
      length: z.number(),
      requests: z.number(),
      privacy: z.string(),
      contentType: z.string(),
    }),
  ),
})
const Refused = z.object({
  response: z.object({
    data: z.object({ error: z.object({ errors: z.tuple([z.object({ reason: z.string() })]) }) }),
  }),
})
const Quota = z.object({ buckets: z.array(z.object({ bucket: z.string(), used: z.number() })) })

const listHeld = async (project: string) => {
  const response = await fetch(new URL(`dev/video/api/videos?project=${project}`, server.url))
  return Held.parse(await response.json()).items
}

const usedQuota = async (project: string) => {
  const response = await fetch(new URL(`dev/video/api/quota?project=${project}`, server.url))
  const { buckets } = Quota.parse(await response.json())
  return Object.fromEntries(buckets.map(({ bucket, used }) => [bucket, used]))
}

const Refusal = z.object({
  error: z.object({
    code: z.number(),
    message: z.string(),
    errors: z.array(z.object({ message: z.string(), domain: z.string(), reason: z.string() })).length(1),
  }),
})
const reasonOf = async (response: Response) => {
  const { error } = Refusal.parse(await response.json())
  expect(error.code).toBe(response.status)
  return [response.status, error.errors[0]?.reason]
}

const Video = z.object({ id: z.string(), status: z.object({ privacyStatus: z.string() }) })

test('GTW-43 official client uploads, reads, changes, searches and deletes a video', async () => {
  const project = newProject()
  const options = optionsFor(`ya29.${project}.anna`)
  const file = randomBytes(granule + 123)
  const { data: video } = await client.videos.insert(
    {
      part: ['snippet', 'status'],
      requestBody: metadata(),
      media: { mimeType: 'video/mp4', body: Readable.from([file]) },
    },
    options,
  )
  expect(video).toMatchObject({
    kind: 'youtube#video',
    snippet: { title: 'Autumn blend' },
    status: { privacyStatus: 'private' },
  })
  const id = video.id ?? ''
  expect(await listHeld(project)).toMatchObject([
    { id, length: file.length, sha256: sha256(file), privacy: 'private', contentType: 'video/mp4' },
  ])

  const { data: channels } = await client.channels.list(
    { part: ['snippet', 'statistics', 'contentDetails'], mine: true },
    options,
  )
  const [channel] = channels.items ?? []
  expect(channel).toMatchObject({ snippet: { title: 'Channel of anna' }, statistics: { videoCount: '1' } })
  expect(channel?.id).toBe(video.snippet?.channelId)

  await client.thumbnails.set(
    { videoId: id, media: { mimeType: 'image/png', body: Readable.from([randomBytes(99)]) } },
    options,
  )
  const change = { id, ...metadata({ title: 'Winter blend' }, { privacyStatus: 'unlisted' }) }
  await client.videos.update({ part: ['snippet', 'status'], requestBody: change }, options)
  const { data: read } = await client.videos.list(
    { part: ['snippet,status', 'contentDetails'], id: [id, 'unknown'] },
    options,
  )
  expect(read.items).toMatchObject([
    {
      snippet: { title: 'Winter blend' },
      status: { privacyStatus: 'unlisted' },
      contentDetails: { hasCustomThumbnail: true },
    },
  ])

  const { data: found } = await client.search.list(
    { part: ['snippet'], forMine: true, type: ['video'], q: 'winter' },
    options,
  )
  expect(found.items?.map((item) => item.id?.videoId)).toEqual([id])
  const playlistId = channel?.contentDetails?.relatedPlaylists?.uploads ?? ''
  const { data: uploads } = await client.playlistItems.list({ part: ['contentDetails'], playlistId }, options)
  expect(uploads.items?.map((item) => item.contentDetails?.videoId)).toEqual([id])

  await client.videos.delete({ id }, options)
  expect(await listHeld(project)).toEqual([])
  expect(await usedQuota(project)).toEqual({ 'videos.insert': 1, 'search.list': 1, other: 1 + 50 + 50 + 1 + 1 + 50 })
})

test('GTW-43 resumable upload takes chunks in order, reports its progress, and ends with the video', async () => {
  const project = newProject()
  const token = `ya29.${project}.bo`
  const file = randomBytes(2 * granule + 1000)
  const url = await startUpload(token, file.length)
  expect(new URL(url).searchParams.get('upload_id')).toBeString()
  expect(await progress(await probe(url, token, file.length))).toEqual([308, null])
  const send = (from: number, to: number) =>
    put(url, token, file.subarray(from, to), `bytes ${from}-${to - 1}/${file.length}`)
  expect(await progress(await send(0, granule))).toEqual([308, `bytes=0-${granule - 1}`])
  // Bytes that are there already are ignored.
  expect(await progress(await send(0, 2 * granule))).toEqual([308, `bytes=0-${2 * granule - 1}`])
  const last = await send(2 * granule, file.length)
  const { id } = Video.parse(await last.json())
  expect(last.status).toBe(201)
  const again = await probe(url, token, file.length)
  expect([again.status, Video.parse(await again.json()).id]).toEqual([200, id])
  expect(await listHeld(project)).toMatchObject([{ id, length: file.length, sha256: sha256(file), requests: 5 }])
})

test('GTW-43 whole file in one request, also of unknown length, is accepted', async () => {
  const project = newProject()
  const token = `ya29.${project}.cleo`
  const file = randomBytes(3000)
  expect((await put(await startUpload(token), token, file)).status).toBe(201)
  const chunked = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(file)
      controller.close()
    },
  })
  expect((await put(await startUpload(token), token, chunked)).status).toBe(201)
  expect((await listHeld(project)).map((video) => video.sha256)).toEqual([sha256(file), sha256(file)])
})

test('GTW-43 wrong ranges, sizes and sessions are refused, and the session stays as it was', async () => {
  const token = `ya29.${newProject()}.dee`
  const url = await startUpload(token, 2 * granule)
  const bytes = (length: number) => new Uint8Array(length)
  const refused: [BodyInit, string | undefined, RegExp][] = [
    [
      bytes(granule),
      `bytes ${granule}-${2 * granule - 1}/${2 * granule}`,
      /offset is 262144 .* exceeds already uploaded size of 0/,
    ],
    [bytes(1000), `bytes 0-999/${2 * granule}`, /multiple of 262144/],
    [bytes(granule), `bytes 0-${granule - 1}/${3 * granule}`, /total size/],
    [bytes(1000), `bytes 0-${granule - 1}/${2 * granule}`, /1000 byte\(s\) in the request body/],
    [bytes(granule), 'bytes 0-5', /Failed to parse Content-Range/],
    [bytes(granule), undefined, /total size/],
  ]
  for (const [body, range, message] of refused) {
    const response = await put(url, token, body, range)
    expect([response.status, await response.text()]).toEqual([400, expect.stringMatching(message)])
  }
  expect(await progress(await probe(url, token))).toEqual([308, null])
  const unknown = url.replace(/upload_id=[^&]+/, 'upload_id=unknown')
  expect((await probe(unknown, token)).status).toBe(404)
  expect((await probe(url, `ya29.${newProject()}.dee`)).status).toBe(404)
  expect((await put(url, 'none', bytes(granule))).status).toBe(401)
})

test('GTW-43 client that breaks off in a chunk resumes at a multiple of 256 KiB', async () => {
  const project = newProject()
  const token = `ya29.${project}.pia`
  const file = randomBytes(3 * granule)
  const url = await startUpload(token, file.length)
  const interruption = new AbortController()
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(file.subarray(0, 2 * granule + 9)),
  })
  const headers = { authorization: `Bearer ${token}`, 'content-range': `bytes 0-${file.length - 1}/${file.length}` }
  const broken = fetch(url, { method: 'PUT', body, headers, signal: interruption.signal }).catch(() => 'broken')
  const requests = async () => (await fetch(new URL(`dev/video/api/requests?project=${project}`, server.url))).text()
  while (!(await requests()).includes('"PUT"')) await Bun.sleep(5)
  interruption.abort()
  expect(await broken).toBe('broken')
  let status = 308
  while (status === 308) {
    const [, range] = await progress(await probe(url, token))
    const from = range === null ? 0 : Number(String(range).split('-')[1]) + 1
    expect(from % granule).toBe(0)
    const response = await put(url, token, file.subarray(from), `bytes ${from}-${file.length - 1}/${file.length}`)
    await progress(response)
    status = response.status
  }
  expect(status).toBe(201)
  expect(await listHeld(project)).toMatchObject([{ sha256: sha256(file) }])
})

test('GTW-43 of two requests that send the same chunk at once, one is recorded', async () => {
  const project = newProject()
  const token = `ya29.${project}.quin`
  const file = randomBytes(2 * granule)
  const url = await startUpload(token, file.length)
  await setBehavior({ project, mode: 'ok', chunkDelayMs: 30 })
  const send = async (from: number) =>
    put(url, token, file.subarray(from, from + granule), `bytes ${from}-${from + granule - 1}/${file.length}`)
  const first = await Promise.all([send(0), send(0)])
  for (const response of first) expect(await progress(response)).toEqual([308, `bytes=0-${granule - 1}`])
  const last = await Promise.all([send(granule), send(granule)])
  const ids = await Promise.all(last.map(async (response) => Video.parse(await response.json()).id))
  expect(new Set(ids).size).toBe(1)
  expect(await listHeld(project)).toMatchObject([{ id: ids[0] ?? '', sha256: sha256(file) }])
})

test('GTW-43 upload continues in another process, which has hashes of the pieces only', async () => {
  const project = newProject()
  const token = `ya29.${project}.eli`
  const file = randomBytes(granule + 10)
  const url = await startUpload(token, file.length)
  await progress(await put(url, token, file.subarray(0, granule), `bytes 0-${granule - 1}/${file.length}`))
  const elsewhere = url.replace(server.url, apart.url)
  const response = await put(elsewhere, token, file.subarray(granule), `bytes ${granule}-${granule + 9}/${file.length}`)
  expect(response.status).toBe(201)
  const pieces = [file.subarray(0, granule), file.subarray(granule)]
  expect(await listHeld(project)).toMatchObject([
    { sha256: null, pieces: pieces.map((piece) => ({ length: piece.length, sha256: sha256(piece) })) },
  ])
})

describe('GTW-43 invalid requests are refused in Google’s format', () => {
  const refused: [string, object, (string | number)[]][] = [
    ['no title', metadata({ title: '' }), [400, 'invalidTitle']],
    ['no snippet', { status: {} }, [400, 'invalidTitle']],
    ['101 characters of title', metadata({ title: 'x'.repeat(101) }), [400, 'invalidTitle']],
    ['angle brackets', metadata({ title: '<b>' }), [400, 'invalidTitle']],
    ['5,001 bytes of description', metadata({ description: `${'x'.repeat(4999)}é` }), [400, 'invalidDescription']],
    ['501 characters of tags', metadata({ tags: ['x'.repeat(249), 'y'.repeat(251)] }), [400, 'invalidTags']],
    ['category', metadata({ categoryId: '3' }), [400, 'invalidCategoryId']],
    ['language', metadata({ defaultLanguage: 'English' }), [400, 'invalidVideoMetadata']],
    ['privacy', metadata({}, { privacyStatus: 'secret' }), [400, 'badRequest']],
    [
      'publication time of a public video',
      metadata({}, { publishAt: '2030-01-01T00:00:00Z' }),
      [400, 'invalidPublishAt'],
    ],
    ['unknown property', metadata({ colour: 'red' }), [400, 'badRequest']],
    ['part that is not named', { ...metadata(), recordingDetails: {} }, [400, 'unexpectedPart']],
  ]
  test.each(refused)('%s', async (_, body, expected) => {
    expect(await reasonOf(await start(`ya29.${newProject()}.fay`, body))).toEqual(expected)
  })

  test('tokens, accounts and scopes', async () => {
    const project = newProject()
    const at = (token: string) => start(token, metadata())
    expect(await reasonOf(await call('GET', '/youtube/v3/channels?part=id&mine=true', 'wrong'))).toEqual([
      401,
      'authError',
    ])
    expect(await reasonOf(await at(`ya29.${project}.gus.full.expired`))).toEqual([401, 'authError'])
    expect(await reasonOf(await at(`ya29.${project}.nochannel`))).toEqual([401, 'youtubeSignupRequired'])
    expect(await reasonOf(await at(`ya29.${project}.limited`))).toEqual([400, 'uploadLimitExceeded'])
    expect(await reasonOf(await at(`ya29.${project}.gus.readonly`))).toEqual([403, 'insufficientPermissions'])
    expect(await reasonOf(await call('DELETE', '/youtube/v3/videos?id=x', `ya29.${project}.gus`))).toEqual([
      404,
      'videoNotFound',
    ])
  })

  test('parameters, parts and media types', async () => {
    const token = `ya29.${newProject()}.hal`
    const get = async (path: string) => reasonOf(await call('GET', `/youtube/v3${path}`, token))
    expect(await get('/channels?mine=true')).toEqual([400, 'required'])
    expect(await get('/channels?part=snippet')).toEqual([400, 'missingRequiredParameter'])
    expect(await get('/channels?part=snippet&mine=true&id=x')).toEqual([400, 'incompatibleParameters'])
    expect(await get('/channels?part=face&mine=true')).toEqual([400, 'unknownPart'])
    expect(await get('/channels?part=id&mine=true&colour=red')).toEqual([400, 'badRequest'])
    expect(await get('/search?part=snippet&forMine=true')).toEqual([400, 'invalidSearchFilter'])
    const image = { 'x-upload-content-type': 'image/png' }
    expect(await reasonOf(await start(token, metadata(), image))).toEqual([400, 'badContent'])
    expect(await reasonOf(await start(token, metadata(), { 'content-type': 'text/plain' }))).toEqual([
      400,
      'badContent',
    ])
    const huge = { 'x-upload-content-length': String(256 * 1024 ** 3 + 1) }
    expect(await reasonOf(await start(token, metadata(), huge))).toEqual([413, 'uploadTooLarge'])
  })
})

test('GTW-43 privacy is public by default, and private in a project that is not audited', async () => {
  const privacyIn = async (project: string) => {
    const token = `ya29.${project}.ida`
    const response = await start(token, metadata({}, {}))
    const uploaded = await put(response.headers.get('location') ?? '', token, new Uint8Array(9))
    return Video.parse(await uploaded.json()).status.privacyStatus
  }
  expect(await privacyIn(newProject())).toBe('public')
  expect(await privacyIn(`9${newProject()}`)).toBe('private')
})

test('GTW-43 quota has a bucket for uploads of 100 a day, and counts an invalid call as one unit', async () => {
  const project = newProject()
  const token = `ya29.${project}.jo`
  await reasonOf(await start(token, metadata({ title: '' })))
  await reasonOf(await call('PUT', '/youtube/v3/videos?part=snippet', token, { body: '{}' }))
  expect(await usedQuota(project)).toEqual({ 'videos.insert': 1, 'search.list': 0, other: 1 })
  const statuses = await Promise.all(
    Array.from({ length: 101 }, async () => {
      const response = await start(token, metadata())
      if (response.status === 200) return 200
      return (await reasonOf(response)).join(' ')
    }),
  )
  expect(statuses.filter((status) => status === 200)).toHaveLength(99)
  expect(new Set(statuses)).toEqual(new Set([200, '403 quotaExceeded']))
  expect((await call('GET', '/youtube/v3/channels?part=id&mine=true', token)).status).toBe(200)
  expect(await usedQuota(project)).toEqual({ 'videos.insert': 100, 'search.list': 0, other: 2 })
})

describe('GTW-43 behavior', () => {
  test('fail and rate_limit affect as many requests as they say, of one project', async () => {
    const project = newProject()
    const get = () => call('GET', '/youtube/v3/channels?part=id&mine=true', `ya29.${project}.kim`)
    await setBehavior({ project, mode: 'fail', status: 503, times: 1 })
    expect(await reasonOf(await get())).toEqual([503, 'backendError'])
    expect((await get()).status).toBe(200)
    await setBehavior({ project, mode: 'rate_limit', retryAfter: 7, on: 'api', times: 1 })
    const limited = await get()
    expect([limited.headers.get('retry-after'), ...(await reasonOf(limited))]).toEqual(['7', 429, 'rateLimitExceeded'])
  })

  test('cut breaks the connection in a chunk, of which multiples of 256 KiB remain', async () => {
    const project = newProject()
    const token = `ya29.${project}.lea`
    const file = randomBytes(3 * granule)
    const url = await startUpload(token, file.length)
    await setBehavior({ project, mode: 'cut', times: 1 })
    await expect(put(url, token, file)).rejects.toThrow()
    expect(await progress(await probe(url, token, file.length))).toEqual([308, `bytes=0-${granule - 1}`])
    const rest = await put(url, token, file.subarray(granule), `bytes ${granule}-${file.length - 1}/${file.length}`)
    expect(rest.status).toBe(201)
    expect(await listHeld(project)).toMatchObject([{ sha256: sha256(file) }])
  })

  test('lose_answer keeps the video and loses the response', async () => {
    const project = newProject()
    const token = `ya29.${project}.max`
    const url = await startUpload(token)
    await setBehavior({ project, mode: 'lose_answer', on: 'chunk', times: 1 })
    await expect(put(url, token, randomBytes(50))).rejects.toThrow()
    const [held] = await listHeld(project)
    const found = await probe(url, token)
    expect([found.status, Video.parse(await found.json()).id]).toEqual([200, held?.id ?? ''])
  })

  test('timeout accepts nothing and never responds', async () => {
    const project = newProject()
    const token = `ya29.${project}.ned`
    await setBehavior({ project, mode: 'timeout', on: 'start', times: 1 })
    const signal = AbortSignal.timeout(100)
    await expect(call('POST', startPath, token, { body: JSON.stringify(metadata()), signal })).rejects.toThrow(
      'timed out',
    )
    const response = await fetch(new URL(`dev/video/api/requests?project=${project}`, server.url))
    const list: unknown = await response.json()
    expect(list).toMatchObject({ items: [{ method: 'POST', account: 'ned', status: null }] })
    expect(JSON.stringify(list)).not.toContain(token)
  })

  test('expire_session ends the session for good', async () => {
    const project = newProject()
    const token = `ya29.${project}.oda`
    const url = await startUpload(token, 10)
    await setBehavior({ project, mode: 'expire_session', status: 410, times: 1 })
    expect((await put(url, token, new Uint8Array(10))).status).toBe(410)
    expect((await probe(url, token)).status).toBe(404)
  })
})

test('GTW-43 practice video provider doesn’t exist in staging and production', () => {
  const isOffered = (offlineHelps: boolean) =>
    chosenContexts({ ...readConfig({ ATRIUM_ENV: 'test' }), offlineHelps }).some((context) =>
      context.endpoints?.some(({ path }) => path.startsWith('/dev/video')),
    )
  expect([isOffered(true), isOffered(false)]).toEqual([true, false])
})

test('GTW-43 page lists videos and behavior', async () => {
  const html = await (await fetch(new URL('dev/video', server.url), { headers: { accept: 'text/html' } })).text()
  expect(html).toContain('Practice video')
  expect(html).toContain('Autumn blend')
})

test('GTW-43 comments are written and listed with Google’s client, and refused where a video has none', async () => {
  const project = newProject()
  const [token, guest] = [`ya29.${project}.anna`, `ya29.${project}.guest`]
  const upload = async (status: object): Promise<string> => {
    const started = await start(token, metadata({}, status))
    const done = await put(started.headers.get('location') ?? '', token, randomBytes(100))
    return z.object({ id: z.string() }).parse(await done.json()).id
  }
  const videoId = await upload({ privacyStatus: 'unlisted' })
  const write = (textOriginal: string, { by = token, id = videoId } = {}) =>
    client.commentThreads.insert(
      { part: ['snippet'], requestBody: { snippet: { videoId: id, topLevelComment: { snippet: { textOriginal } } } } },
      optionsFor(by),
    )
  const { data: first } = await write('Recipe <3')
  await write('Nice', { by: guest })
  const list = async (more: object = {}) =>
    (
      await client.commentThreads.list(
        { part: ['snippet'], videoId, order: 'time', textFormat: 'plainText', maxResults: 1, ...more },
        optionsFor(token),
      )
    ).data
  const newest = await list()
  expect(newest.items?.[0]?.snippet?.topLevelComment?.snippet).toMatchObject({ textDisplay: 'Nice', videoId })
  expect(newest.items?.[0]?.snippet?.topLevelComment?.snippet).not.toHaveProperty('textOriginal')
  const next = await list({ pageToken: newest.nextPageToken })
  expect(next.items?.[0]).toMatchObject({
    id: first.id,
    snippet: { topLevelComment: { snippet: { textOriginal: 'Recipe <3', textDisplay: 'Recipe <3' } } },
  })
  expect([next.nextPageToken, (await list({ moderationStatus: 'heldForReview' })).items]).toEqual([undefined, []])
  const codeOf = (writing: Promise<unknown>) =>
    writing.then(
      () => 'written',
      (error: unknown) => Refused.parse(error).response.data.error.errors[0].reason,
    )
  expect(await codeOf(write(' '))).toBe('commentTextRequired')
  expect(await codeOf(write('x'.repeat(10_001)))).toBe('commentTextTooLong')
  expect(await codeOf(write('First', { id: 'unknown' }))).toBe('videoNotFound')
  expect(await codeOf(write('First', { id: await upload({ privacyStatus: 'private' }) }))).toBe('commentsDisabled')
  expect(await codeOf(write('First', { by: `${token}.upload` }))).toBe('insufficientPermissions')
  // Two comments, three lists, and an invalid request is 1 unit.
  expect((await usedQuota(project))['other']).toBe(2 * 50 + 4 + 4)
})
