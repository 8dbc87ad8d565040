import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import sharp from 'sharp'
import type { ConnectionDetails } from '#social/types'
import { mastodon as network } from '../../src/social/networks/mastodon/index.ts'
import { software, type SoftwareName } from '../counterparts/mastodon-software.ts'
import { startMastodon, type MastodonCounterpart } from '../counterparts/mastodon.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { inMs, isSettled, newPublisher, type Post, type Publisher } from '../support/publisher.ts'
import { serveInProcess, type Server } from '../support/serve-in-process.ts'
import { comeBack, findConnected } from './networks/support/connect.ts'

// Each software with Mastodon's API, from connecting to a post whose response was lost.

let database: TestDatabase
let server: Server
let ada: Publisher
let instance: MastodonCounterpart
let photo: { mediaId: string; alt: string }

beforeAll(async () => {
  database = await freshDatabase()
  server = await serveInProcess({ databaseUrl: database.url })
  ada = await newPublisher(server.url)
  const image = await sharp({ create: { width: 40, height: 40, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer()
  const file = { brandId: ada.brandId, file: image.toString('base64') }
  photo = { mediaId: (await ada.call<{ id: string }>('POST', '/api/media', file, 201)).id, alt: 'Red' }
})

afterEach(() => instance.stop())

afterAll(async () => {
  await server.stop()
  await database.drop()
})

async function connect(like: SoftwareName): Promise<{ connectionId: string }> {
  instance = startMastodon({ like, processing: 1 })
  const form = { brandId: ada.brandId, instance: instance.url }
  const path = '/api/integrations/mastodon/connect'
  const { authorizeUrl } = await ada.call<{ authorizeUrl: string }>('POST', path, form, 201)
  await comeBack(ada, instance.consent(authorizeUrl, 'ada'))
  return { connectionId: (await findConnected(ada, `ada@${instance.host}`)).id }
}

async function publish({ connectionId }: { connectionId: string }, text: string): Promise<Post> {
  const draft = { provider: 'mastodon', text, media: [photo], target: { connectionId } }
  const { id } = await ada.post({ ...draft, status: 'scheduled', scheduledAt: inMs(350) })
  return ada.until(id, isSettled, 30_000)
}

const expected: Record<SoftwareName, { characters: number; urlCharacters: number | null; scopes: string[] }> = {
  'Mastodon 3.1': { characters: 500, urlCharacters: 23, scopes: parts() },
  'Pleroma 2.4': { characters: 5000, urlCharacters: 23, scopes: parts() },
  'Akkoma 3.13': { characters: 5000, urlCharacters: null, scopes: parts() },
  'GoToSocial 0.17': { characters: 5000, urlCharacters: 25, scopes: parts() },
  'Pixelfed 0.11': { characters: 500, urlCharacters: 23, scopes: ['read', 'write'] },
  'A server with scopes of its own': { characters: 1000, urlCharacters: null, scopes: ['read', 'write'] },
}

function parts(): string[] {
  return ['read:accounts', 'read:statuses', 'write:statuses', 'write:media']
}

describe.each(Object.keys(software) as SoftwareName[])('%s', (like) => {
  test('SOC-08 account connects with the limits and scopes of its server, and publishes an image', async () => {
    const account = await connect(like)
    const found = await ada.call<ConnectionDetails>('GET', `/api/accounts/${account.connectionId}`)
    const { characters, urlCharacters, scopes } = expected[like]
    expect(found).toMatchObject({ scopes, limits: { characters, urlCharacters } })
    const post = await publish(account, 'Roasted on Monday')
    expect(post).toMatchObject({ status: 'published', failureMessage: null })
    const [status] = instance.statuses('ada')
    expect(status).toMatchObject({
      id: post.platformPostId,
      text: 'Roasted on Monday',
      media: [{ description: 'Red' }],
    })
    expect(network.postIdOf(post.permalink ?? '')).toBe(status?.id ?? '')
  })

  test('SOC-24 post that was taken and answered with 500 is published once', async () => {
    const account = await connect(like)
    instance.faults.next('POST /api/v1/statuses', { kind: 'fail_after', status: 500 })
    expect(await publish(account, 'Taken')).toMatchObject({ status: 'published' })
    expect(instance.statuses('ada')).toHaveLength(1)
  })

  test('SOC-24 post whose response was lost is published once', async () => {
    const account = await connect(like)
    instance.faults.next('POST /api/v1/statuses', { kind: 'lose' })
    const text = 'Fresh & new <beans>:\n\nhttps://example.com/a?b=1 #coffee @bob@example.com “today” 🙂'
    expect(await publish(account, text)).toMatchObject({ status: 'published' })
    expect(instance.statuses('ada')).toHaveLength(1)
  })
})

test('SOC-14 post without a file is refused at scheduling for Pixelfed alone', async () => {
  const draft = async (like: SoftwareName) => ({
    brandId: ada.brandId,
    provider: 'mastodon',
    text: 'Words alone',
    target: await connect(like),
    status: 'scheduled',
    scheduledAt: inMs(3_600_000),
  })
  const refused = await ada.call<{ errors: { message: string }[] }>(
    'POST',
    '/api/posts',
    await draft('Pixelfed 0.11'),
    422,
  )
  expect(refused.errors[0]?.message).toContain('needs')
  await instance.stop()
  await ada.call('POST', '/api/posts', await draft('GoToSocial 0.17'), 201)
})
