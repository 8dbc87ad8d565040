import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startDiscord, type DiscordCounterpart } from '../../counterparts/discord/index.ts'
import { inMs, isSettled, type Post } from '../../support/publisher.ts'
import { failed, published, publishedAfter, signedOut, testOutcomes } from './support/outcomes.ts'
import { testUndividedGrant } from './support/partial-grant.ts'
import { openNetworkSite, type NetworkSite } from './support/site.ts'
import { hasFfmpeg, uploadVideo } from './support/upload.ts'

let discord: DiscordCounterpart
let site: NetworkSite

beforeAll(async () => {
  discord = startDiscord()
  site = await openNetworkSite({ provider: 'discord', counterpart: discord })
})

afterAll(() => site.close())

const path = '/api/integrations/discord/connect'
const create = 'api POST /api/webhooks/:id/:token'

const connectUrl = <Answer>(webhookUrl: string, status: number) =>
  site.ada.call<Answer>('POST', path, { brandId: site.ada.brandId, webhookUrl }, status)

interface Connected {
  connection: { id: string; health: string; account: { id: string; name: string } }
}

/** As people copy it from Discord. */
const copied = (url: string): string => url.replace(discord.urls.api, 'https://discord.com')

async function connect(webhook = discord.webhook()) {
  const { connection } = await connectUrl<Connected>(copied(webhook.url), 201)
  return { webhook, connection, connectionId: connection.id, posts: () => discord.messages(webhook.channel).length }
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
  const post = await site.publish(account, { text: 'Grüße @everyone **bold**' })
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
  const media = [await site.image('A red square'), { ...(await site.image('')), alt: 'x'.repeat(1500) }]
  expect(await site.publish(account, { text: 'Look', media })).toMatchObject({
    status: 'published',
    failureMessage: null,
  })
  const [message] = discord.messages(account.webhook.channel)
  expect(message?.attachments.map(({ filename, type }) => [filename, type])).toEqual([
    ['image-1.png', 'image/png'],
    ['image-2.png', 'image/png'],
  ])
  expect(message?.attachments.map(({ description }) => description?.length)).toEqual([12, 1024])
})

test.skipIf(!hasFfmpeg)(
  'SOC-23 message has a video beside an image, and one of more than 10 MB is refused',
  async () => {
    const account = await connect()
    const clip = { mediaId: (await uploadVideo(site.ada)).id, alt: 'A clip' }
    const media = [clip, await site.image('A red square')]
    expect(await site.publish(account, { text: 'Watch', media })).toMatchObject({ status: 'published' })
    const [message] = discord.messages(account.webhook.channel)
    expect(message?.attachments.map(({ filename, type, description }) => [filename, type, description])).toEqual([
      ['video-1.mp4', 'video/mp4', 'A clip'],
      ['image-2.png', 'image/png', 'A red square'],
    ])
    const long = [{ mediaId: (await uploadVideo(site.ada, 10 * 1024 * 1024)).id }]
    expect(await site.refusalOf(account, { text: 'Watch', media: long })).toContain('Discord')
  },
)

test('SOC-14 text is limited to 2,000 characters, counted as code points', async () => {
  const account = await connect()
  const { id } = await site.scheduleLater(account, { text: '👍'.repeat(2000) })
  expect(await site.ada.call<object>('GET', `/api/posts/${id}`)).toMatchObject({ characters: 2000 })
  // A reader counts one.
  const family = '👨‍👩‍👧'
  expect(await site.refusalOf(account, { text: family.repeat(401) })).toBe(
    'Shorten the text by 5. Discord allows 2000 characters.',
  )
})

test('SOC-22 posts of a thread follow each other in the channel', async () => {
  const account = await connect()
  const posts = await site.scheduleThread(account, ['One', 'Two'])
  expect(await site.ada.until(posts[1]?.id ?? '', isSettled)).toMatchObject({ status: 'published' })
  expect(discord.messages(account.webhook.channel).map(({ content }) => content)).toEqual(['One', 'Two'])
})

test('SOC-25 used-up window is remembered: the next post waits for it and isn’t refused', async () => {
  const narrow = startDiscord({ rate: { limit: 1, windowMs: 1200 } })
  const own = await openNetworkSite({ provider: 'discord', counterpart: narrow })
  const webhook = narrow.webhook()
  const bob = own.ada
  const webhookUrl = webhook.url.replace(narrow.urls.api, 'https://discord.com')
  await bob.call('POST', path, { brandId: bob.brandId, webhookUrl }, 201)
  const write = (text: string) => bob.post({ provider: 'discord', text, status: 'scheduled', scheduledAt: inMs(150) })
  const ids = [(await write('One')).id, (await write('Two')).id]
  const posts = await Promise.all(ids.map((id) => bob.until(id, isSettled)))
  expect(posts.map(({ status }) => status)).toEqual(['published', 'published'])
  expect(narrow.callsOf(create).map(({ status }) => status)).toEqual([200, 200])
  await own.close()
})

test('SOC-48 message is deleted, even if it was already deleted in Discord', async () => {
  const account = await connect()
  const posts = [await site.publish(account, { text: 'One' }), await site.publish(account, { text: 'Two' })]
  const publication = (post?: Post) => `/api/posts/${post?.id}/publication`
  await site.ada.call('DELETE', publication(posts[0]))
  expect(discord.messages(account.webhook.channel).map(({ content }) => content)).toEqual(['Two'])
  await fetch(`${account.webhook.url}/messages/${posts[1]?.platformPostId}`, {
    method: 'DELETE',
    headers: { 'user-agent': 'Test' },
  })
  expect(await site.ada.call<object>('DELETE', publication(posts[1]))).toMatchObject({
    withdrawnAt: expect.any(String),
  })
})

test('SOC-48 message is corrected with its image, mentions no one, and a lost response is read back', async () => {
  const account = await connect()
  const media = [await site.image('A cup')]
  const post = await site.publish(account, { text: 'Munday', media })
  const correct = (text: string) => site.ada.call<object>('POST', `/api/posts/${post.id}/corrections`, { text })
  expect(await correct('Monday @everyone')).toMatchObject({ state: 'corrected' })
  const edit = 'api PATCH /api/webhooks/:id/:token/messages/:message'
  expect(discord.callsOf(edit).at(-1)?.text).toContain('"allowed_mentions":{"parse":[]}')
  discord.fail(edit, 'no_answer_after')
  expect(await correct('Monday')).toMatchObject({ state: 'corrected' })
  const [message] = discord.messages(account.webhook.channel)
  expect(message).toMatchObject({ content: 'Monday', editedAt: expect.any(String) })
  expect(message?.attachments).toHaveLength(1)
})

test('SOC-07 deleted webhook signs the channel out until a new one is connected', async () => {
  const account = await connect()
  discord.remove(account.webhook)
  const post = await site.publish(account, { text: 'Later' })
  expect(post).toMatchObject({ status: 'failed', failureCode: 'signed_out' })
  expect(post.failureMessage).toContain('The webhook was deleted in Discord.')
  expect(await site.ada.call<object>('GET', `/api/accounts/${account.connectionId}`)).toMatchObject({
    health: 'signed_out',
  })
})

const unknown = 'Discord doesn’t let a webhook read its channel.'

testUndividedGrant('Discord', 'discord', 'since webhooks have no permissions')

testOutcomes({
  network: 'Discord',
  site: () => site,
  counterpart: () => discord,
  route: create,
  connect,
  media: () => site.red(),
  outcomes: {
    ok: published,
    unauthorized: signedOut,
    expired_token: signedOut,
    revoked_token: signedOut,
    forbidden: failed('permission_missing', 'Missing Permissions'),
    media_refused: failed('media_refused', 'too large'),
    rate_limited: publishedAfter(1000),
    server_error: failed('outcome_unknown', unknown),
    server_error_after: failed('outcome_unknown', unknown, { posts: 1 }),
    no_answer_before: failed('outcome_unknown', unknown),
    no_answer_after: failed('outcome_unknown', unknown, { posts: 1 }),
    connection_lost: failed('outcome_unknown', unknown, { posts: 1 }),
    malformed: failed('outcome_unknown', unknown, { posts: 1 }),
    'server_error until the end': failed('outcome_unknown', unknown),
  },
})
