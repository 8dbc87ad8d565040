import { afterEach, beforeEach, expect, test } from 'bun:test'
import { startDiscord, type DiscordCounterpart } from '../counterparts/discord/index.ts'
import { meetEveryFault } from './every-fault.ts'

let discord: DiscordCounterpart

beforeEach(() => {
  discord = startDiscord()
})
afterEach(() => discord.stop())

const post = (url: string, body: unknown, query = '?wait=true', signal?: AbortSignal) =>
  fetch(`${url}${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  })

const route = 'api POST /api/webhooks/:id/:token'

test('SOC-08 a Discord webhook shows what it posts, edits and deletes', async () => {
  const webhook = discord.webhook({ name: 'News' })
  expect(await (await fetch(webhook.url)).json()).toMatchObject({
    id: webhook.id,
    name: 'News',
    channel_id: webhook.channel,
    guild_id: webhook.guild,
    type: 1,
  })
  const sent = await post(webhook.url, { content: 'Hello', allowed_mentions: { parse: [] } })
  expect(sent.headers.get('x-ratelimit-remaining')).toBe('29')
  const message = (await sent.json()) as { id: string }
  expect(message).toMatchObject({ content: 'Hello', channel_id: webhook.channel, webhook_id: webhook.id })
  expect((await post(webhook.url, { content: 'Silent' }, '')).status).toBe(204)

  const at = `${webhook.url}/messages/${message.id}`
  const edited = await fetch(at, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ content: 'Hello again' }),
  })
  expect(await edited.json()).toMatchObject({ content: 'Hello again', edited_timestamp: expect.any(String) })
  expect(discord.messages(webhook.channel).map(({ content }) => content)).toEqual(['Hello again', 'Silent'])
  expect((await fetch(at, { method: 'DELETE' })).status).toBe(204)
  expect(await (await fetch(at)).json()).toEqual({ message: 'Unknown Message', code: 10_008 })
  expect(discord.messages(webhook.channel).map(({ content }) => content)).toEqual(['Silent'])
})

test('SOC-08 a Discord webhook takes files with descriptions', async () => {
  const webhook = discord.webhook()
  const send = (payload: unknown, files: Record<string, Blob>) => {
    const form = new FormData()
    form.set('payload_json', JSON.stringify(payload))
    for (const [name, file] of Object.entries(files)) form.set(name, file, 'cat.png')
    return fetch(`${webhook.url}?wait=true`, { method: 'POST', body: form })
  }
  const file = new Blob(['cat'], { type: 'image/png' })
  const sent = await send({ attachments: [{ id: 0, filename: 'a.png', description: 'A cat' }] }, { 'files[0]': file })
  expect(await sent.json()).toMatchObject({
    attachments: [{ filename: 'a.png', size: 3, content_type: 'image/png', description: 'A cat' }],
  })
  expect((await send({ content: 'x' }, { file })).status).toBe(400)
  expect((await send({ attachments: [{ id: 1 }] }, { 'files[0]': file })).status).toBe(400)
  const large = await send({}, { 'files[0]': new Blob([new Uint8Array(10 * 1024 * 1024 + 1)]) })
  expect([large.status, await large.json()]).toEqual([413, { message: 'Request entity too large', code: 40_005 }])
  expect(discord.messages(webhook.channel)).toHaveLength(1)
})

test('SOC-08 a Discord webhook posts to threads of its channel, and to forums only in threads', async () => {
  const webhook = discord.webhook()
  const thread = discord.thread(webhook)
  expect((await post(webhook.url, { content: 'In it' }, `?wait=true&thread_id=${thread}`)).status).toBe(200)
  expect(discord.messages(thread).map(({ content }) => content)).toEqual(['In it'])
  const other = discord.thread(discord.webhook())
  expect(await (await post(webhook.url, { content: 'x' }, `?wait=true&thread_id=${other}`)).json()).toEqual({
    message: 'Unknown Channel',
    code: 10_003,
  })
  const forum = discord.webhook({ isForum: true })
  expect(await (await post(forum.url, { content: 'x' })).json()).toMatchObject({ code: 220_001 })
  const created = (await (await post(forum.url, { content: 'x', thread_name: 'Topic' })).json()) as {
    channel_id: string
  }
  expect((await post(forum.url, { content: 'y' }, `?thread_id=${created.channel_id}`)).status).toBe(204)
})

test.each([
  ['nothing', {}, 50_006],
  ['too much text', { content: 'x'.repeat(2001) }, 50_035],
  ['an unknown field', { content: 'x', text: 'x' }, 50_035],
  ['a wrong type', { content: 1 }, 50_035],
  ['a reserved name', { content: 'x', username: 'Discord news' }, 50_035],
])('SOC-08 a Discord webhook refuses %s', async (_, body, code) => {
  const webhook = discord.webhook()
  const response = await post(webhook.url, body)
  expect([response.status, ((await response.json()) as { code: number }).code]).toEqual([400, code])
  expect(discord.messages(webhook.channel)).toEqual([])
})

test('SOC-08 a Discord webhook refuses unknown parameters and content types', async () => {
  const webhook = discord.webhook()
  expect((await post(webhook.url, { content: 'x' }, '?wait=true&threadId=1')).status).toBe(400)
  const text = await fetch(webhook.url, {
    method: 'POST',
    body: 'content=x',
    headers: { 'content-type': 'text/plain' },
  })
  expect(text.status).toBe(400)
  const json = await fetch(webhook.url, { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } })
  expect(await json.json()).toMatchObject({ code: 50_109 })
})

test('SOC-08 a replaced token and a deleted webhook are different refusals', async () => {
  const webhook = discord.webhook()
  const renewed = discord.renew(webhook)
  const refused = await post(webhook.url, { content: 'x' })
  expect([refused.status, await refused.json()]).toEqual([401, { message: 'Invalid Webhook Token', code: 50_027 }])
  expect((await post(renewed, { content: 'x' })).status).toBe(200)
  discord.remove(webhook)
  expect(await (await post(renewed, { content: 'x' })).json()).toEqual({ message: 'Unknown Webhook', code: 10_015 })
})

test('SOC-25 a Discord webhook throttles by window and says when it opens', async () => {
  await discord.stop()
  discord = startDiscord({ rate: { limit: 2, windowMs: 5000 } })
  const webhook = discord.webhook()
  const responses = [await post(webhook.url, { content: '1' }), await post(webhook.url, { content: '2' })]
  expect(responses.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(['1', '0'])
  const refused = await post(webhook.url, { content: '3' })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
  expect(await refused.json()).toMatchObject({ retry_after: expect.any(Number), global: false })
  discord.clock.advance(5000)
  expect((await post(webhook.url, { content: '3' })).status).toBe(200)
  expect(discord.messages(webhook.channel).map(({ content }) => content)).toEqual(['1', '2', '3'])
})

test('SOC-24 Discord meets every fault', async () => {
  const webhook = discord.webhook()
  await meetEveryFault(
    discord,
    route,
    (signal) => post(webhook.url, { content: 'x' }, '?wait=true', signal),
    () => discord.messages(webhook.channel).length,
    {
      unauthorized: { status: 401, body: { code: 0 } },
      forbidden: { status: 403, body: { code: 50_013 } },
      rate_limited: { status: 429, body: { retry_after: 0.64 }, headers: { 'retry-after': '1' } },
      server_error: { status: 503, body: { code: 0 } },
      expired_token: { status: 401, body: { code: 50_027 } },
      revoked_token: { status: 404, body: { code: 10_015 } },
      media_refused: { status: 413, body: { code: 40_005 } },
    },
  )
  expect(discord.callsOf(route)).toHaveLength(12)
  expect(discord.callsOf(route)[0]?.text).toBe('{"content":"x"}')
})
