import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'
import type { Media } from '#social/types'
import { startX, type XCounterpart } from '../../counterparts/x/index.ts'
import { freshDatabase, type TestDatabase } from '../../support/database.ts'
import { inMs, isSettled, newPublisher, type Publisher } from '../../support/publisher.ts'
import { serveInProcess, type Server } from '../../support/serve-in-process.ts'
import { beginConnecting, comeBack, findConnected, storeApp } from './connect.ts'

// X refuses a text that the account has published before, as it does in reality.

let database: TestDatabase
let x: XCounterpart
let server: Server
let ada: Publisher
let target: { connectionId: string }

beforeAll(async () => {
  database = await freshDatabase()
  x = startX({ refusesDuplicates: true })
  const { www, api, legacy } = x.urls
  const env = { NETWORK_ORIGINS: `x.com=${www},api.x.com=${api},api.twitter.com=${legacy}` }
  server = await serveInProcess({ databaseUrl: database.url, env })
  x.app.redirectUris.push(`${server.url}/workspace/accounts/callback/x`)
  ada = await newPublisher(server.url)
  await storeApp(ada, { provider: 'x', ...x.app })
  const account = x.account('acme')
  await comeBack(ada, x.consent(await beginConnecting(ada, 'x'), account))
  target = { connectionId: (await findConnected(ada, account.id)).id }
})

afterAll(async () => {
  await server.stop()
  await x.stop()
  await database.drop()
})

const publish = async (text: string) => {
  const { id } = await ada.post({ provider: 'x', text, status: 'scheduled', scheduledAt: inMs(150), target })
  return ada.until(id, isSettled, 30_000)
}
const timeline = 'api GET /2/users/:id/tweets'
const unlisted = { kind: 'answer', status: 200, body: { meta: { result_count: 0 } } } as const

test('SOC-24 post that X refuses as a duplicate after a lost response is published: it had arrived', async () => {
  x.fail('api POST /2/tweets', 'connection_lost')
  x.faults.next(timeline, unlisted)
  expect(await publish('Once and for all')).toMatchObject({ status: 'published', failureMessage: null })
})

test('SOC-24 duplicate that can’t be found after a lost response is unknown, not failed', async () => {
  x.fail('api POST /2/tweets', 'connection_lost')
  x.faults.next(timeline, unlisted, 2)
  expect(await publish('Hidden')).toMatchObject({ status: 'failed', failureCode: 'outcome_unknown' })
})

test('SOC-23 text that the account has published before fails with what to do', async () => {
  await publish('Same again')
  const post = await publish('Same again')
  expect(post).toMatchObject({ status: 'failed', failureCode: 'duplicate_content' })
  expect(post.failureMessage).toContain('Change the text')
})

test('SOC-14 animated GIF is allowed on X only by itself', async () => {
  const upload = async (image: Buffer): Promise<{ mediaId: string }> => {
    const file = image.toString('base64')
    return { mediaId: (await ada.call<Media>('POST', '/api/media', { brandId: ada.brandId, file, alt: '' }, 201)).id }
  }
  const frames = sharp(Buffer.alloc(20 * 40 * 3, crypto.getRandomValues(new Uint8Array(512))), {
    raw: { width: 20, height: 40, channels: 3, pageHeight: 20 },
  })
  const gif = await upload(await frames.gif({ delay: [90, 90] }).toBuffer())
  const still = await upload(
    await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer(),
  )
  const draft = { brandId: ada.brandId, provider: 'x', text: 'Look', status: 'scheduled', target }
  const post = { ...draft, scheduledAt: inMs(3_600_000) }
  await ada.call('POST', '/api/posts', { ...post, media: [gif] }, 201)
  const refused = await ada.call<{ errors: { message: string }[] }>(
    'POST',
    '/api/posts',
    { ...post, media: [still, gif] },
    422,
  )
  expect(refused.errors[0]?.message).toBe('X allows an animated GIF only by itself. Remove the other files.')
})
