import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'
import type { Media } from '#social/types'
import { startDiscord, type DiscordCounterpart } from '../../counterparts/discord/index.ts'
import { freshDatabase, type TestDatabase } from '../../support/database.ts'
import { inMs, isSettled, newPublisher, type Post, type Publisher } from '../../support/publisher.ts'
import { serveInProcess, type Server } from '../../support/serve-in-process.ts'
import { testOutcomes } from './outcomes.ts'

let database: TestDatabase
let discord: DiscordCounterpart
let server: Server
let ada: Publisher

beforeAll(async () => {
  database = await freshDatabase()
  discord = startDiscord()
  const env = { NETWORK_ORIGINS: `discord.com=${discord.urls.api}` }
  server = await serveInProcess({ databaseUrl: database.url, env })
  ada = await newPublisher(server.url)
})

afterAll(async () => {
  await server.stop()
  await discord.stop()
  await database.drop()
})

const path = '/api/integrations/discord/connect'
const create = 'api POST /api/webhooks/:id/:token'

const connectUrl = <Answer>(webhookUrl: string, status: number) =>
  ada.call<Answer>('POST', path, { brandId: ada.brandId, webhookUrl }, status)

interface Connected {
  connection: { id: string; health: string; account: { id: string; name: string } }
}

/** As people copy it from Discord. */
const copied = (url: string): string => url.replace(discord.urls.api, 'https://discord.com')

async function connect(webhook = discord.webhook()) {
  const { connection } = await connectUrl<Connected>(copied(webhook.url), 201)
  return { webhook, connection, connectionId: connection.id, posts: () => discord.messages(webhook.channel).length }
}

type Account = Awaited<ReturnType<typeof connect>>

async function publish({ connectionId }: Pick<Account, 'connectionId'>, values: Record<string, unknown>) {
  const target = { connectionId }
  const { id } = await ada.post({ provider: 'discord', status: 'scheduled', scheduledAt: inMs(150), target, ...values })
  return ada.until(id, isSettled)
}

async function upload(alt: string): Promise<Media> {
  const image = sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
  const file = (await image.png().toBuffer()).toString('base64')
  return ada.call('POST', '/api/media', { brandId: ada.brandId, file, alt }, 201)
}

test('SOC-08 channel is connected with the URL of its webhook, and its token is not shown', async () => {
  const { webhook, connection } = await connect(discord.webhook({ name: 'Shop news' }))
  expect(connection).toMatchObject({ health: 'ok', account: { id: webhook.channel, name: 'Shop news' } })
  expect(JSON.stringify(connection)).not.toContain(webhook.token)
})

test.each([
  ['https://example.com/api/webhooks/1/token', 'Must be a webhook’s URL'],
  ['http://discord.com/api/webhooks/1/token', 'Must be a webhook’s URL'],
  ['https://discord.com/channels/1/2', 'Must be a webhook’s URL'],
  ['https://discord.com/api/webhooks/1/token', 'doesn’t know this webhook'],
])('SOC-05 %s is rejected as a webhook', async (url, says) => {
  const { errors } = await connectUrl<{ errors: object[] }>(url, 422)
  expect(errors).toMatchObject([{ path: 'webhookUrl', message: expect.stringContaining(says) }])
})

test('SOC-05 connecting while Discord fails stores nothing and says so', async () => {
  const { url } = discord.webhook()
  discord.fail('api GET /api/webhooks/:id/:token', 'server_error')
  expect(await connectUrl<object>(copied(url), 502)).toMatchObject({ code: 'provider_error' })
  discord.fail('api GET /api/webhooks/:id/:token', 'malformed')
  expect(await connectUrl<object>(copied(url), 502)).toMatchObject({ code: 'provider_error' })
})

test('SOC-08 message is published unchanged, mentions no one, and is found at its link', async () => {
  const account = await connect()
  const post = await publish(account, { text: 'Grüße @everyone **bold**' })
  const [message] = discord.messages(account.webhook.channel)
  expect(message?.content).toBe('Grüße @everyone **bold**')
  expect(post).toMatchObject({
    status: 'published',
    platformPostId: message?.id,
    permalink: `https://discord.com/channels/${account.webhook.guild}/${account.webhook.channel}/${message?.id}`,
  })
  expect(discord.callsOf(create).at(-1)?.text).toContain('"allowed_mentions":{"parse":[]}')
})

test('SOC-08 message has its images with their alt texts, which are cut where Discord allows no more', async () => {
  const account = await connect()
  const media = [
    { mediaId: (await upload('A red square')).id },
    { mediaId: (await upload('')).id, alt: 'x'.repeat(1500) },
  ]
  expect(await publish(account, { text: 'Look', media })).toMatchObject({ status: 'published', failureMessage: null })
  const [message] = discord.messages(account.webhook.channel)
  expect(message?.attachments.map(({ filename, type }) => [filename, type])).toEqual([
    ['image-1.png', 'image/png'],
    ['image-2.png', 'image/png'],
  ])
  expect(message?.attachments.map(({ description }) => description?.length)).toEqual([12, 1024])
})

test('SOC-14 text is limited to 2,000 characters, counted as code points', async () => {
  const { connectionId } = await connect()
  const draft = { brandId: ada.brandId, provider: 'discord', target: { connectionId }, status: 'scheduled' }
  const send = (text: string, status: number) =>
    ada.call<{ id: string; errors: { message: string }[] }>(
      'POST',
      '/api/posts',
      { ...draft, text, scheduledAt: inMs(3_600_000) },
      status,
    )
  const { id } = await send('👍'.repeat(2000), 201)
  expect(await ada.call<object>('GET', `/api/posts/${id}`)).toMatchObject({ characters: 2000 })
  // A reader counts one.
  const family = '👨‍👩‍👧'
  const { errors } = await send(family.repeat(401), 422)
  expect(errors[0]?.message).toBe('Shorten the text by 5. Discord allows 2000 characters.')
})

test('SOC-22 posts of a thread follow each other in the channel', async () => {
  const { connectionId, webhook } = await connect()
  const thread = [{ text: 'One' }, { text: 'Two' }]
  const draft = { brandId: ada.brandId, provider: 'discord', target: { connectionId }, thread, status: 'scheduled' }
  const { items } = await ada.call<{ items: Post[] }>('POST', '/api/posts', { ...draft, scheduledAt: inMs(150) }, 201)
  expect(await ada.until(items[1]?.id ?? '', isSettled)).toMatchObject({ status: 'published' })
  expect(discord.messages(webhook.channel).map(({ content }) => content)).toEqual(['One', 'Two'])
})

test('SOC-25 used-up window is remembered: the next post waits for it and isn’t refused', async () => {
  const narrow = startDiscord({ rate: { limit: 1, windowMs: 1200 } })
  const env = { NETWORK_ORIGINS: `discord.com=${narrow.urls.api}` }
  const apart = await freshDatabase()
  const own = await serveInProcess({ databaseUrl: apart.url, env })
  const webhook = narrow.webhook()
  const bob = await newPublisher(own.url)
  const webhookUrl = webhook.url.replace(narrow.urls.api, 'https://discord.com')
  await bob.call('POST', path, { brandId: bob.brandId, webhookUrl }, 201)
  const write = (text: string) => bob.post({ provider: 'discord', text, status: 'scheduled', scheduledAt: inMs(150) })
  const ids = [(await write('One')).id, (await write('Two')).id]
  const posts = await Promise.all(ids.map((id) => bob.until(id, isSettled)))
  expect(posts.map(({ status }) => status)).toEqual(['published', 'published'])
  expect(narrow.callsOf(create).map(({ status }) => status)).toEqual([200, 200])
  await own.stop()
  await narrow.stop()
  await apart.drop()
})

test('SOC-48 message is deleted, even if it was already deleted in Discord', async () => {
  const account = await connect()
  const posts = [await publish(account, { text: 'One' }), await publish(account, { text: 'Two' })]
  const publication = (post?: Post) => `/api/posts/${post?.id}/publication`
  await ada.call('DELETE', publication(posts[0]))
  expect(discord.messages(account.webhook.channel).map(({ content }) => content)).toEqual(['Two'])
  await fetch(`${account.webhook.url}/messages/${posts[1]?.platformPostId}`, {
    method: 'DELETE',
    headers: { 'user-agent': 'Test' },
  })
  expect(await ada.call<object>('DELETE', publication(posts[1]))).toMatchObject({ withdrawnAt: expect.any(String) })
})

test('SOC-07 deleted webhook signs the channel out until a new one is connected', async () => {
  const account = await connect()
  discord.remove(account.webhook)
  const post = await publish(account, { text: 'Later' })
  expect(post).toMatchObject({ status: 'failed', failureCode: 'signed_out' })
  expect(post.failureMessage).toContain('The webhook was deleted in Discord.')
  expect(await ada.call<object>('GET', `/api/accounts/${account.connectionId}`)).toMatchObject({ health: 'signed_out' })
})

const unknown = 'Discord doesn’t let a webhook read its channel.'

testOutcomes({
  network: 'Discord',
  provider: 'discord',
  ada: () => ada,
  counterpart: () => discord,
  route: create,
  connect,
  media: async () => [{ mediaId: (await upload('Red')).id, alt: 'Red' }],
  outcomes: {
    ok: { status: 'published', code: null, says: '', posts: 1 },
    unauthorized: { status: 'failed', code: 'signed_out', says: 'Reconnect it', posts: 0, health: 'signed_out' },
    expired_token: { status: 'failed', code: 'signed_out', says: 'Reconnect it', posts: 0, health: 'signed_out' },
    revoked_token: { status: 'failed', code: 'signed_out', says: 'Reconnect it', posts: 0, health: 'signed_out' },
    forbidden: { status: 'failed', code: 'permission_missing', says: 'Missing Permissions', posts: 0 },
    media_refused: { status: 'failed', code: 'media_refused', says: 'too large', posts: 0 },
    rate_limited: { status: 'published', code: null, says: '', posts: 1 },
    server_error: { status: 'published', code: null, says: '', posts: 1 },
    no_answer_before: { status: 'failed', code: 'outcome_unknown', says: unknown, posts: 0 },
    no_answer_after: { status: 'failed', code: 'outcome_unknown', says: unknown, posts: 1 },
    connection_lost: { status: 'failed', code: 'outcome_unknown', says: unknown, posts: 1 },
    malformed: { status: 'failed', code: 'outcome_unknown', says: unknown, posts: 1 },
    'server_error until the end': { status: 'failed', code: 'provider_error', says: '503', posts: 0 },
  },
})
