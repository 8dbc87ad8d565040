import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createGatewayClient } from '#gateway'
import { createOutbound } from '#lib/outbound.ts'
import { prepare } from '../../../src/social/networks/facebook/media.ts'

// The server of these tests takes no byte of an upload.

let requests = 0
let offset = 0
let server: Bun.Server<undefined>

beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }) => {
      if (new URL(url).pathname.endsWith('/uploads')) return Response.json({ id: 'upload:1' })
      if ((requests += 1) > 20) return new Response(null, { status: 400 })
      return Response.json({ file_offset: offset })
    },
  })
})
afterAll(() => server.stop(true))

/** Facebook doesn’t need it. */
const absent = {
  caller: '',
  baseUrl: null,
  serviceTokens: undefined,
  imagesTimeoutMs: 1,
  paymentsTimeoutMs: 1,
  fetch: () => Promise.reject(new Error('Not called')),
}

const bytes = new Uint8Array(100)
const video = {
  name: 'video.mp4',
  contentType: 'video/mp4',
  width: 10,
  height: 10,
  durationMs: 4_000,
  alt: '',
  size: bytes.length,
  url: 'https://example.com/video.mp4',
  bytes: async () => bytes,
  slice: async (from: number, to: number) => bytes.slice(from, to),
}

const call = (progress: unknown) => ({
  key: 'key',
  text: 'Video',
  media: [video],
  linkPreview: null,
  youtube: null,
  video: {
    client: createGatewayClient(absent).video,
    getPayer: () => Promise.reject(new Error('Not called')),
  },
  replyTo: null,
  startedAt: new Date(0),
  account: { externalId: '1', metadata: { pageId: '1' }, tokens: { access: 'a', clientId: 'c', organizationId: 'o' } },
  outside: {
    ...createOutbound({ allowPrivate: true }),
    hosts: { sandbox: '', blueskyResolver: '', plcDirectory: '' },
    at: (address: string) => new URL(new URL(address).pathname, server.url),
  },
  signal: new AbortController().signal,
  progress,
  save: async () => {},
})

test.each([
  ['takes no byte', 0, null],
  ['has all bytes and no handle', 100, { photos: [], upload: { id: 'upload:1', sent: 100 }, handle: null }],
] as const)('SOC-25 upload of a video that %s is left to the next retry', async (_, at, progress) => {
  requests = 0
  offset = at
  expect(await prepare(call(progress))).toMatchObject({ kind: 'refused', code: 'provider_error', transient: true })
  expect(requests).toBeLessThan(4)
})
