import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'
import { z } from 'zod'
import { findFacets } from '../../src/social/networks/bluesky/facets.ts'
import { killRest, run } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { inMs, isSettled, newPublisher, type Post, type Publisher } from '../support/publisher.ts'
import { serve, type Served } from '../support/served.ts'
import { installed, printed } from './installed.ts'

// Tests against Bluesky's own server.

let folder: string
let database: TestDatabase
let env: Record<string, string>
let pds: string
let server: Served
let ada: Publisher
let account: { handle: string; did: string; connectionId: string }

const Network = z.object({ pds: z.string(), plc: z.string() })

beforeAll(async () => {
  folder = await installed('atproto')
  const network = run(['node', 'serve.mjs'], { cwd: folder })
  const [line] = await network.until(/^\{.*\}$/m)
  const { plc, ...served } = Network.parse(JSON.parse(line))
  pds = served.pds
  env = { PLC_DIRECTORY_URL: plc, BLUESKY_RESOLVER_URL: pds }
  database = await freshDatabase()
  server = await serve({ databaseUrl: database.url, env })
  ada = await newPublisher(server.url)
  account = await connect('ada.test')
}, 900_000)

afterAll(async () => {
  await killRest()
  await database.drop()
})

async function xrpc<Answer>(method: string, body: unknown, token?: string): Promise<Answer> {
  const response = await fetch(`${pds}/xrpc/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${method} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Answer
}

/** An account on that server, connected to the brand with an app password. */
async function connect(handle: string) {
  const owner = { handle, email: `${handle}@example.com`, password: 'correct horse battery' }
  const { did, accessJwt } = await xrpc<{ did: string; accessJwt: string }>('com.atproto.server.createAccount', owner)
  const made = await xrpc<{ password: string }>('com.atproto.server.createAppPassword', { name: 'Atrium' }, accessJwt)
  const form = { brandId: ada.brandId, handle, appPassword: made.password, pds }
  const path = '/api/integrations/bluesky/connect'
  const { connection } = await ada.call<{ connection: { id: string } }>('POST', path, form, 201)
  return { handle, did, connectionId: connection.id }
}

interface Kept {
  uri: string
  cid: string
  value: {
    text: string
    embed?: { images: unknown[] }
    facets?: unknown[]
    reply?: { root: { uri: string }; parent: { uri: string } }
  }
}

/** The records of the server, oldest first. */
async function records(did: string): Promise<Kept[]> {
  const query = new URLSearchParams({ repo: did, collection: 'app.bsky.feed.post', limit: '100' })
  const response = await fetch(`${pds}/xrpc/com.atproto.repo.listRecords?${query}`)
  return ((await response.json()) as { records: Kept[] }).records
}

const saying = async (did: string, text: string) => (await records(did)).filter(({ value }) => value.text === text)

const publish = (text: string, values = {}) =>
  ada.post({
    provider: 'bluesky',
    text,
    status: 'scheduled',
    scheduledAt: inMs(350),
    target: { connectionId: account.connectionId },
    ...values,
  })

test('SOC-08 post is published on a real Bluesky server with its facets', async () => {
  const text = '👋 Grüße @ada.test: https://example.com/a?b=c #Kaffee'
  const { id } = await publish(text)
  const post = await ada.until(id, isSettled)
  expect(post).toMatchObject({ status: 'published', failureMessage: null })
  const [kept] = await saying(account.did, text)
  expect(kept?.uri).toBe(post.platformPostId ?? '')
  expect(kept?.value.facets).toHaveLength(3)
})

test('SOC-08 image is published on Bluesky with its alt text and dimensions', async () => {
  const image = sharp({ create: { width: 30, height: 20, channels: 3, background: 'teal' } })
  const file = (await image.png().toBuffer()).toString('base64')
  const media = { brandId: ada.brandId, file, alt: 'A pond' }
  const { id: mediaId } = await ada.call<{ id: string }>('POST', '/api/media', media, 201)
  const { id } = await publish('Water', { media: [{ mediaId }] })
  expect(await ada.until(id, isSettled)).toMatchObject({ status: 'published', failureMessage: null })
  const [kept] = await saying(account.did, 'Water')
  const aspectRatio = { width: 30, height: 20 }
  expect(kept?.value.embed?.images).toMatchObject([{ alt: 'A pond', aspectRatio, image: { mimeType: 'image/png' } }])
})

test('SOC-22 thread is published on Bluesky as replies', async () => {
  const thread = ['First', 'Second', 'Third'].map((text) => ({ text }))
  const target = { connectionId: account.connectionId }
  const draft = { brandId: ada.brandId, provider: 'bluesky', target, thread, status: 'scheduled' }
  const path = '/api/posts'
  const { items } = await ada.call<{ items: Post[] }>('POST', path, { ...draft, scheduledAt: inMs(350) }, 201)
  await ada.until(items[2]?.id ?? '', isSettled)
  const [first, second, third] = (await Promise.all(thread.map(({ text }) => saying(account.did, text)))).flat()
  expect(second?.value.reply).toMatchObject({ root: { uri: first?.uri }, parent: { uri: first?.uri } })
  expect(third?.value.reply).toMatchObject({ root: { uri: first?.uri }, parent: { uri: second?.uri } })
})

test('SOC-24 post of a server killed after the network’s response exists once and is found by another server', async () => {
  const { id } = await publish('Once, whatever happens', { scheduledAt: inMs(1500) })
  await server.kill('SIGTERM')
  await server.exited
  const doomed = await serve({ databaseUrl: database.url, env: { ...env, KILL_AT: 'answered:1' } })
  await doomed.exited
  expect(await saying(account.did, 'Once, whatever happens')).toHaveLength(1)
  server = await serve({ databaseUrl: database.url, env })
  ada = ada.through(server.url)
  const post = await ada.until(id, isSettled, 20_000)
  const kept = await saying(account.did, 'Once, whatever happens')
  expect(kept.map(({ uri }) => uri)).toEqual([post.platformPostId ?? ''])
})

test('SOC-48 post is deleted from a real Bluesky server', async () => {
  const { id } = await publish('Not for long')
  await ada.until(id, isSettled)
  await ada.call('DELETE', `/api/posts/${id}/publication`)
  expect(await saying(account.did, 'Not for long')).toEqual([])
})

const texts = [
  'Plain words',
  '👋 @ada.test and (@bob.example.com), see https://example.com/a_(b)?c=d. And (https://example.org/x)!',
  '#Kaffee #1 #a1 #two-words, #ümläut! #_ #日本語。 no#tag',
  'https://example.com/äöü, http://localhost:3000/x?y=#z',
  '@handle.example.com@example.com mail@example.com',
]

test.each(texts)('SOC-08 facets of %p match those from Bluesky’s own library', async (text) => {
  const theirs = await printed(folder, 'facets.mjs', text)
  const ours = await findFacets(text, async (handle) => handle)
  const shape = z.array(
    z.object({
      index: z.object({ byteStart: z.number(), byteEnd: z.number() }),
      features: z.array(z.looseObject({ $type: z.string() })),
    }),
  )
  expect(shape.parse(ours)).toEqual(shape.parse(theirs))
})
