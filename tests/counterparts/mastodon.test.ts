import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import sharp from 'sharp'
import { killRest } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { inMs, isSettled, newPublisher, type Post, type Publisher } from '../support/publisher.ts'
import { serve } from '../support/served.ts'
import { installed, printed } from './installed.ts'
import { startMastodon, type MastodonCounterpart } from './mastodon.ts'
import { startSteady } from './steady.ts'

// Every request to the instance also goes to a strict mock generated from Mastodon's own schema, and the responses are
// read by the client that Mastodon's apps use. The schema's license doesn't let it be copied: without it these tests
// are skipped.

const spec = resolve(process.env['MASTODON_SPEC'] ?? '../shared/specs/mastodon.json')
const described = existsSync(spec)
if (!described) console.log(`SKIPPED: Mastodon's schema is not at ${spec}. Name it by MASTODON_SPEC.`)

let folder: string
let check: Awaited<ReturnType<typeof startSteady>>
let database: TestDatabase
let mastodon: MastodonCounterpart
let ada: Publisher
let connectionId: string
/** The schema's findings for each request, by method and path. */
const verdicts: { request: string; valid: boolean; why: string }[] = []

/** RFC 6749 requires a form here; the schema only has JSON, though Mastodon accepts both. */
const aside = ['POST /oauth/token']

beforeAll(async () => {
  if (!described) return
  folder = await installed('masto')
  check = await startSteady(folder, spec)
  mastodon = startMastodon({ processing: 1, watch: judge })
  database = await freshDatabase()
  const server = await serve({ databaseUrl: database.url })
  ada = await newPublisher(server.url)
  connectionId = await connect(server.url)
}, 300_000)

afterAll(async () => {
  await killRest()
  await mastodon?.stop()
  await database?.drop()
})

async function judge(request: Request): Promise<void> {
  const { pathname, search } = new URL(request.url)
  const requested = `${request.method} ${pathname}`
  if (aside.includes(requested)) return
  const body = await bodyOf(request, requested)
  const target = `${pathname}${search}`
  verdicts.push({
    request: requested,
    ...(await check({ method: request.method, target, headers: request.headers, body })),
  })
}

/** Mastodon also accepts a single redirect URI, the only form before 4.3; the schema only has lists. */
async function bodyOf(request: Request, requested: string): Promise<BodyInit | undefined> {
  if (request.method === 'GET') return undefined
  if (requested !== 'POST /api/v1/apps') return request.bytes()
  const app = (await request.json()) as { redirect_uris: string }
  return JSON.stringify({ ...app, redirect_uris: [app.redirect_uris] })
}

async function connect(url: string): Promise<string> {
  const form = { brandId: ada.brandId, instance: mastodon.url }
  const path = '/api/integrations/mastodon/connect'
  const { authorizeUrl } = await ada.call<{ authorizeUrl: string }>('POST', path, form, 201)
  const headers = { authorization: `Bearer ${ada.token}`, accept: 'text/html' }
  await fetch(new URL(mastodon.consent(authorizeUrl, 'ada'), url), { headers, redirect: 'manual' })
  const { items } = await ada.call<{ items: { id: string }[] }>('GET', '/api/accounts')
  return items[0]?.id ?? ''
}

test.skipIf(!described)('SOC-08 requests and responses match Mastodon’s schema', async () => {
  const target = { connectionId }
  const image = sharp({ create: { width: 30, height: 20, channels: 3, background: 'teal' } })
  const file = (await image.png().toBuffer()).toString('base64')
  const media = { brandId: ada.brandId, file, alt: 'A pond' }
  const { id: mediaId } = await ada.call<{ id: string }>('POST', '/api/media', media, 201)
  const thread = [{ text: 'Grüße https://example.com', media: [{ mediaId }] }, { text: 'and more' }]
  const draft = { brandId: ada.brandId, provider: 'mastodon', target, thread, status: 'scheduled' }
  const path = '/api/posts'
  mastodon.faults.next('POST /api/v1/statuses', { kind: 'lose' })
  const { items } = await ada.call<{ items: Post[] }>('POST', path, { ...draft, scheduledAt: inMs(350) }, 201)
  const [first, second] = await Promise.all(items.map(({ id }) => ada.until(id, isSettled, 20_000)))
  const read = await printed(folder, 'read.mjs', mastodon.url, mastodon.tokenOf('ada'))
  expect(read).toMatchObject([
    { id: second?.platformPostId, inReplyToId: first?.platformPostId, content: '<p>and more</p>' },
    { id: first?.platformPostId, inReplyToId: null, url: first?.permalink },
  ])
  await ada.call('DELETE', `/api/posts/${second?.id}/publication`)
})

test.skipIf(!described)('SOC-08 schema check covers every kind of request and rejects none', () => {
  expect(verdicts.filter(({ valid }) => !valid)).toEqual([])
  const kinds = new Set(verdicts.map(({ request }) => request.replaceAll(/\/(id-\w+|\d+)(?=\/|$)/g, '/:id')))
  for (const kind of [
    'GET /api/v2/instance',
    'POST /api/v1/apps',
    'GET /api/v1/accounts/verify_credentials',
    'POST /api/v2/media',
    'GET /api/v1/media/:id',
    'POST /api/v1/statuses',
    'GET /api/v1/accounts/:id/statuses',
    'GET /api/v1/statuses/:id/source',
    'DELETE /api/v1/statuses/:id',
  ])
    expect(kinds).toContain(kind)
})
