import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'
import { limits, startMastodon, type MastodonCounterpart } from '../counterparts/mastodon.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { inMs, isSettled, newPublisher, type Post, type Publisher } from '../support/publisher.ts'
import { serveInProcess, type Server } from '../support/serve-in-process.ts'

// From the API through the scheduler to a server that responds like a Mastodon instance, and back.

let database: TestDatabase
let mastodon: MastodonCounterpart
let server: Server
let ada: Publisher

beforeAll(async () => {
  database = await freshDatabase()
  mastodon = startMastodon({ processing: 2 })
  server = await serveInProcess({ databaseUrl: database.url })
  ada = await newPublisher(server.url)
})

afterAll(async () => {
  await server.stop()
  await mastodon.stop()
  await database.drop()
})

interface Connection {
  id: string
  health: string
  active: boolean
  account: { id: string; name: string }
}
interface Listed {
  items: Connection[]
}

const begin = (who = ada, instance = mastodon.url) =>
  who.call<{ authorizeUrl: string }>(
    'POST',
    '/api/integrations/mastodon/connect',
    { brandId: who.brandId, instance },
    201,
  )

/** Returns from the consent page as a browser does; returns the redirect URL. */
async function comeBack(address: string, who = ada): Promise<URL> {
  const headers = { authorization: `Bearer ${who.token}`, accept: 'text/html' }
  const response = await fetch(address, { headers, redirect: 'manual' })
  expect(response.status).toBe(303)
  return new URL(response.headers.get('location') ?? '', server.url)
}

async function connect(username: string) {
  const { authorizeUrl } = await begin()
  await comeBack(mastodon.consent(authorizeUrl, username))
  const { items } = await ada.call<Listed>('GET', '/api/accounts?limit=100')
  const connection = items.find(({ account }) => account.id === `${username}@${mastodon.host}`)
  if (!connection) throw new Error('Nothing was connected')
  return { username, connectionId: connection.id, connection }
}

const connected = async (who = ada) => (await who.call<Listed>('GET', '/api/accounts?limit=100')).items.length

type Account = Pick<Awaited<ReturnType<typeof connect>>, 'connectionId' | 'username'>

const publish = ({ connectionId }: Account, text: string, values = {}) =>
  ada.post({
    provider: 'mastodon',
    text,
    status: 'scheduled',
    scheduledAt: inMs(350),
    target: { connectionId },
    ...values,
  })

const texts = ({ username }: Account) => mastodon.statuses(username).map(({ text }) => text)

async function published(account: Account, text: string): Promise<Post> {
  const { id } = await publish(account, text)
  const post = await ada.until(id, isSettled)
  expect(post).toMatchObject({ status: 'published', failureMessage: null })
  return post
}

test('SOC-05 SOC-08 account connects through the consent page of its instance', async () => {
  const { authorizeUrl } = await begin()
  const requested = new URL(authorizeUrl).searchParams
  expect(requested.get('response_type')).toBe('code')
  expect(requested.get('code_challenge_method')).toBe('S256')
  const led = await comeBack(mastodon.consent(authorizeUrl, 'ada'))
  expect(`${led.pathname}${led.search}`).toBe(`/workspace/accounts?brandId=${ada.brandId}`)
  const { items } = await ada.call<Listed>('GET', '/api/accounts')
  expect(items[0]).toMatchObject({
    account: { id: `ada@${mastodon.host}`, name: `@ada@${mastodon.host}` },
    health: 'ok',
    active: true,
  })
})

test('SOC-05 denied consent connects nothing and is shown on the accounts page', async () => {
  const before = await connected()
  const { authorizeUrl } = await begin()
  const led = await comeBack(mastodon.consent(authorizeUrl, 'denying', false))
  expect(led.searchParams.get('unconnected')).toBe('denied')
  const headers = { authorization: `Bearer ${ada.token}`, accept: 'text/html' }
  expect(await (await fetch(led, { headers })).text()).toContain('Access to Mastodon was denied')
  expect(await connected()).toBe(before)
})

test('SOC-05 state is valid once, for its own session, for ten minutes', async () => {
  const eve = await newPublisher(server.url)
  const { authorizeUrl } = await begin()
  const back = mastodon.consent(authorizeUrl, 'stolen')
  expect((await comeBack(back, eve)).searchParams.get('unconnected')).toBe('expired')
  expect(await connected(eve)).toBe(0)
  expect((await comeBack(back)).searchParams.get('unconnected')).toBeNull()
  expect((await comeBack(back)).searchParams.get('unconnected')).toBe('expired')
  const forged = new URL(back)
  forged.searchParams.set('state', 'forged')
  expect((await comeBack(forged.href)).searchParams.get('unconnected')).toBe('expired')
})

test('SOC-05 code that the instance rejects is reported', async () => {
  const { authorizeUrl } = await begin()
  const back = new URL(mastodon.consent(authorizeUrl, 'wrong-code'))
  back.searchParams.set('code', 'made-up')
  expect((await comeBack(back.href)).searchParams.get('unconnected')).toBe('failed')
})

test('SOC-08 app is registered once per instance, and again if the instance has deleted it', async () => {
  await begin()
  const before = mastodon.registrations()
  await begin()
  expect(mastodon.registrations()).toBe(before)
  mastodon.deleteApps()
  await connect('after-the-sweep')
  expect(mastodon.registrations()).toBe(before + 1)
})

test.each(['no spaces here', 'ftp://example.com', 'http://example.com', 'https://user:secret@example.com', ''])(
  'SOC-05 %p is rejected as an instance',
  async (instance) => {
    const path = '/api/integrations/mastodon/connect'
    const problem = await ada.call<{ errors: { path: string }[] }>(
      'POST',
      path,
      { brandId: ada.brandId, instance },
      422,
    )
    expect(problem.errors[0]?.path).toBe('instance')
  },
)

test('SOC-08 status is published unchanged and found at its URL', async () => {
  const account = await connect('plain')
  const post = await published(account, 'Grüße https://example.com #hello')
  const [status] = mastodon.statuses('plain')
  expect(status).toMatchObject({ text: 'Grüße https://example.com #hello', inReplyTo: null })
  expect(post).toMatchObject({ platformPostId: status?.id, permalink: `${mastodon.url}/@plain/${status?.id}` })
})

test('SOC-22 thread is published as replies', async () => {
  const account = await connect('thread')
  const thread = [{ text: 'One' }, { text: 'Two' }, { text: 'Three' }]
  const target = { connectionId: account.connectionId }
  const draft = { brandId: ada.brandId, provider: 'mastodon', target, thread, status: 'scheduled' }
  const path = '/api/posts'
  const { items } = await ada.call<{ items: Post[] }>('POST', path, { ...draft, scheduledAt: inMs(350) }, 201)
  await ada.until(items[2]?.id ?? '', isSettled)
  const [one, two, three] = mastodon.statuses('thread')
  expect([one?.inReplyTo, two?.inReplyTo, three?.inReplyTo]).toEqual([null, one?.id ?? '', two?.id ?? ''])
})

test('SOC-14 instance’s own character limit applies, and a URL counts as 23 characters', async () => {
  const account = await connect('limits')
  const address = `https://example.com/${'a'.repeat(200)}`
  await published(account, `${address} ${'x'.repeat(limits.characters - limits.url - 1)}`)
  const refused = await ada.call<{ errors: { message: string }[] }>(
    'POST',
    '/api/posts',
    {
      brandId: ada.brandId,
      provider: 'mastodon',
      target: { connectionId: account.connectionId },
      text: 'x'.repeat(limits.characters + 1),
      status: 'scheduled',
      scheduledAt: inMs(60_000),
    },
    422,
  )
  expect(refused.errors[0]?.message).toContain('Shorten the text by 1')
})

/** The id of an uploaded image. */
async function uploaded(alt: string): Promise<string> {
  const image = sharp({ create: { width: 30, height: 20, channels: 3, background: 'teal' } })
  const file = (await image.png().toBuffer()).toString('base64')
  return (await ada.call<{ id: string }>('POST', '/api/media', { brandId: ada.brandId, file, alt }, 201)).id
}

test('SOC-08 images are published in order with their alt texts, once the instance has processed them', async () => {
  const account = await connect('pictures')
  const media = [{ mediaId: await uploaded('A pond') }, { mediaId: await uploaded('A lake') }]
  const { id } = await publish(account, 'Water', { media })
  expect(await ada.until(id, isSettled)).toMatchObject({ status: 'published', failureMessage: null })
  expect(mastodon.statuses('pictures')).toMatchObject([
    { text: 'Water', media: [{ description: 'A pond' }, { description: 'A lake' }] },
  ])
})

test('SOC-25 upload whose response is lost is retried, and the status is published once', async () => {
  const account = await connect('pictures-lost')
  mastodon.faults.next('POST /api/v2/media', { kind: 'lose' })
  const { id } = await publish(account, 'Water again', { media: [{ mediaId: await uploaded('A pond') }] })
  expect(await ada.until(id, isSettled)).toMatchObject({ status: 'published', failureMessage: null })
  expect(mastodon.statuses('pictures-lost').map(({ media }) => media.length)).toEqual([1])
})

const send = 'POST /api/v1/statuses'

test.each(['lose', 'hang'] as const)(
  'SOC-24 missing response from the instance (%s) results in exactly one status',
  async (kind) => {
    const account = await connect(`unheard-${kind}`)
    mastodon.faults.next(send, { kind })
    const post = await published(account, 'Once')
    expect(mastodon.statuses(account.username).map(({ id }) => id)).toEqual([post.platformPostId ?? ''])
  },
)

test('SOC-24 two posts with the same text and lost responses become two statuses', async () => {
  const account = await connect('twins')
  mastodon.faults.next(send, { kind: 'lose' }, 2)
  const posts = await Promise.all([1, 2].map(() => published(account, 'The same')))
  expect(
    mastodon
      .statuses('twins')
      .map(({ id }) => id)
      .sort(),
  ).toEqual(posts.map(({ platformPostId }) => platformPostId ?? '').sort())
})

test('SOC-24 status with a lost response is sent again with the same key while statuses aren’t listed yet', async () => {
  const account = await connect('lagging')
  mastodon.faults.next(send, { kind: 'lose' })
  mastodon.faults.next('GET /api/v1/accounts/:id/statuses', { kind: 'answer', status: 200, body: [] })
  await published(account, 'Once behind a lag')
  expect(texts(account)).toEqual(['Once behind a lag'])
})

test.each([
  ['pages of 40', {}],
  ['pages of 20 at most', { mostPerPage: 20 }],
  ['pages without hidden statuses', { hides: true }],
] as const)(
  'SOC-24 status with a lost response is found behind many newer ones, with %s, and sent once',
  async (_, pages) => {
    let isBuried = false
    const busy = startMastodon({
      ...pages,
      watch: async ({ method, url }) => {
        if (isBuried || method !== 'GET' || !url.includes('/statuses')) return
        isBuried = true
        busy.bury('busy', 50)
      },
    })
    const { authorizeUrl } = await begin(ada, busy.url)
    await comeBack(busy.consent(authorizeUrl, 'busy'))
    const { items } = await ada.call<Listed>('GET', '/api/accounts?limit=100')
    const connectionId = items.find(({ account }) => account.id === `busy@${busy.host}`)?.id ?? ''
    busy.faults.next(send, { kind: 'lose' })
    const post = await published({ connectionId, username: 'busy' }, 'Buried')
    const sent = busy.statuses('busy').filter(({ text }) => text === 'Buried')
    expect(sent.map(({ id }) => id)).toEqual([post.platformPostId ?? ''])
    await busy.stop()
  },
)

test('SOC-25 status is published after failures and throttling of its instance', async () => {
  const account = await connect('troubled')
  const opens = Date.now() + 1200
  const headers = { 'x-ratelimit-reset': new Date(opens).toISOString() }
  mastodon.faults.next(send, { kind: 'answer', status: 503, body: { error: 'Remote data could not be fetched' } })
  mastodon.faults.next(send, { kind: 'answer', status: 429, body: { error: 'Too many requests' }, headers })
  const post = await published(account, 'In the end')
  expect(Date.parse(post.publishedAt ?? '')).toBeGreaterThanOrEqual(opens)
  expect(texts(account)).toEqual(['In the end'])
})

test('SOC-07 SOC-23 revoked consent disconnects the account until it is connected again', async () => {
  const account = await connect('revoked')
  mastodon.revoke('revoked')
  const { id } = await publish(account, 'Too late')
  expect(await ada.until(id, isSettled)).toMatchObject({ status: 'failed', failureCode: 'signed_out' })
  const path = `/api/accounts/${account.connectionId}`
  expect(await ada.call<Connection>('GET', path)).toMatchObject({ health: 'signed_out' })
  await connect('revoked')
  await ada.call('POST', `/api/posts/${id}/retry`)
  await ada.until(id, ({ status }) => status === 'published')
  expect(texts(account)).toEqual(['Too late'])
})

test('SOC-48 published status can be deleted from its instance, even if it was already deleted there', async () => {
  const account = await connect('deleting')
  const posts = [await published(account, 'One'), await published(account, 'Two')]
  const path = (post?: Post) => `/api/posts/${post?.id}/publication`
  await ada.call('DELETE', path(posts[0]))
  expect(texts(account)).toEqual(['Two'])
  mastodon.faults.next('DELETE /api/v1/statuses/:id', {
    kind: 'answer',
    status: 404,
    body: { error: 'Record not found' },
  })
  expect(await ada.call<object>('DELETE', path(posts[1]))).toMatchObject({ withdrawnAt: expect.any(String) })
})

test('SOC-48 status is corrected and keeps its files, and a lost response is read back', async () => {
  const account = await connect('correcting')
  const post = await published(account, 'Munday')
  const correct = (text: string, status = 200) =>
    ada.call<{ code: string }>('POST', `/api/posts/${post.id}/corrections`, { text }, status)
  expect(await correct('Monday')).toMatchObject({ state: 'corrected' })
  mastodon.faults.next('PUT /api/v1/statuses/:id', { kind: 'lose' })
  expect(await correct('Monday, 9 a.m.')).toMatchObject({ state: 'corrected' })
  expect(texts(account)).toEqual(['Monday, 9 a.m.'])
  mastodon.faults.next('PUT /api/v1/statuses/:id', { kind: 'answer', status: 404, body: { error: 'Not found' } })
  expect(await correct('Never', 502)).toMatchObject({ code: 'correction_not_supported' })
  expect(texts(account)).toEqual(['Monday, 9 a.m.'])
})

test('SOC-48 deletion without the account’s consent is rejected and the detail says what to do', async () => {
  const account = await connect('deleting-unheard')
  const post = await published(account, 'Stays')
  mastodon.revoke('deleting-unheard')
  const refused = await ada.call<{ code: string; detail: string }>(
    'DELETE',
    `/api/posts/${post.id}/publication`,
    undefined,
    409,
  )
  expect(refused.code).toBe('signed_out')
  expect(texts(account)).toEqual(['Stays'])
})

test('SOC-14 unusual limits of an instance apply if they are valid', async () => {
  const statuses = { max_characters: 2 ** 40, max_media_attachments: 2 ** 40, characters_reserved_per_url: 2 ** 40 }
  const body = { domain: 'big.example', configuration: { statuses } }
  mastodon.faults.next('GET /api/v2/instance', { kind: 'answer', status: 200, body }, 2)
  const account = await connect('boastful')
  const { id } = await publish(account, 'See https://example.com/')
  await ada.until(id, isSettled)
  expect(texts(account)).toEqual(['See https://example.com/'])
})

test('SOC-25 unsafe URL scheme of an instance never reaches a browser', async () => {
  const account = await connect('sly')
  const body = { id: '77', url: 'javascript:alert(1)' }
  mastodon.faults.next(send, { kind: 'answer', status: 200, body })
  const post = await published(account, 'Click me')
  expect(post).toMatchObject({ platformPostId: '77', permalink: `${mastodon.url}/web/statuses/77` })
})

test('SOC-23 both posts are settled when an instance gives them the same ID', async () => {
  const account = await connect('repeating')
  mastodon.faults.next(send, { kind: 'answer', status: 200, body: { id: '4711', url: null } }, 2)
  await published(account, 'One')
  const { id } = await publish(account, 'Two')
  const post = await ada.until(id, isSettled)
  expect(post).toMatchObject({ status: 'failed', failureCode: 'outcome_unknown' })
  expect(post.failureMessage).toContain('4711')
  await published(account, 'Three')
})

test('SOC-25 rejection with characters that the database can’t store settles the post', async () => {
  const account = await connect('garbled')
  mastodon.faults.next(send, { kind: 'answer', status: 422, body: { error: `\0${'a'.repeat(298)}😀` } })
  const { id } = await publish(account, 'Refused')
  expect(await ada.until(id, isSettled)).toMatchObject({ status: 'failed', failureCode: 'provider_refused' })
})
