import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Connection } from '#social/types'
import { subjectOf } from '../../src/social/networks/instagram/subject.ts'
import { signRequest } from '../counterparts/graph/signed-request.ts'
import { startInstagram, type Account, type InstagramCounterpart } from '../counterparts/instagram/index.ts'
import { administer } from '../support/database.ts'
import { isSettled, newPublisher, type Publisher } from '../support/publisher.ts'
import { beginConnecting, comeBack, findConnected, storeApp } from './networks/support/connect.ts'
import { untilCommented } from './networks/support/comment-outcomes.ts'
import { openNetworkSite, type NetworkSite } from './networks/support/site.ts'

let instagram: InstagramCounterpart
let site: NetworkSite
let ada: Publisher

beforeAll(async () => {
  instagram = startInstagram()
  const { app } = instagram
  site = await openNetworkSite({ provider: 'instagram', counterpart: instagram, app, imageType: 'jpeg' })
  ada = site.ada
  const endpoint = { name: 'All', url: 'https://shop.example.com/all', events: ['connection.needs_attention'] }
  await ada.call('POST', '/api/webhooks', endpoint, 201)
})

afterAll(() => site.close())

let accounts = 0

async function connect(who = ada, account = instagram.account(`shop${(accounts += 1)}.acme`)) {
  await comeBack(who, instagram.consent(await beginConnecting(who, 'instagram', { firstComments: true }), account))
  return { account, id: (await findConnected(who, account.id)).id }
}

const read = (id: string, who = ada) => who.call<Connection>('GET', `/api/accounts/${id}`)
const urlOf = (name: string) => `${site.url}/callbacks/instagram/${name}`

const send = (name: string, signed_request: string) =>
  fetch(urlOf(name), { method: 'POST', body: new URLSearchParams({ signed_request }) })

const rowOf = (id: string) =>
  administer(site.databaseUrl, async (sql) => {
    const [row] = await sql`SELECT to_jsonb(c) AS row FROM social.connections c WHERE id = ${id}`
    return (row?.['row'] ?? {}) as Record<string, unknown>
  })

const tracesOf = async ({ id, username }: Account): Promise<number> => {
  const rows = await administer(
    site.databaseUrl,
    (sql) => sql`SELECT 1 FROM social.posts WHERE external_account = ${id} OR strpos(permalink, ${username}) > 0
      UNION ALL SELECT 1 FROM social.publish_attempts WHERE external_account = ${id} OR strpos(events::text, ${username}) > 0
      UNION ALL SELECT 1 FROM social.first_comments WHERE external_account = ${id} OR strpos(events::text, ${username}) > 0
      UNION ALL SELECT 1 FROM platform.webhook_messages WHERE strpos(body, ${username}) > 0`,
  )
  return rows.length
}

/** During the next call that publishes; the link of its post can’t be read afterwards. */
function duringPublishing(run: () => Promise<unknown> = async () => null): void {
  let running: Promise<unknown> | null = null
  instagram.watch(async ({ path }) => {
    if (!path.endsWith('/media_publish')) return
    if (!running) instagram.fail('graph GET /:id', 'server_error')
    running ??= run()
    await running
  })
}

const commentEventsOf = (postId: string): Promise<unknown[]> =>
  administer(site.databaseUrl, async (sql) => [
    ...(await sql`SELECT state, events FROM social.first_comments WHERE id = ${postId}`),
  ])

const payloadOf = ({ scopedId }: Account) => ({ user_id: scopedId, issued_at: 1_795_000_000 })

test('SOC-09 deauthorize deactivates the connection and destroys its tokens, and a repeated one is the same', async () => {
  const { account, id } = await connect()
  for (let times = 0; times < 2; times++) {
    const response = await instagram.deauthorize(account, urlOf('deauthorize'))
    expect([response.status, await response.json()]).toEqual([200, { deactivated: 1 }])
    expect(await read(id)).toMatchObject({ active: false, health: 'signed_out' })
    expect(await rowOf(id)).toMatchObject({ sealed_tokens: null, external_id: account.id })
  }
  await connect(ada, account)
  expect(await read(id)).toMatchObject({ active: true, health: 'ok' })
})

test('SOC-09 user ID can be a number that JavaScript would round', async () => {
  const { account, id } = await connect()
  const payload = `{"user_id":${account.id},"algorithm":"HMAC-SHA256","issued_at":1795000000}`
  const encoded = Buffer.from(payload).toString('base64url')
  const signature = new Bun.CryptoHasher('sha256', instagram.app.clientSecret).update(encoded).digest('base64url')
  expect((await send('deauthorize', `${signature}.${encoded}`)).status).toBe(200)
  expect((await read(id)).active).toBe(false)
})

test('SOC-09 data deletion erases the account and answers with a page and a code, each time the same', async () => {
  const { account, id } = await connect()
  const kept = { text: 'Kept', firstComment: '#kept', media: await site.red() }
  const post = await site.publish({ connectionId: id }, kept)
  expect((await untilCommented(ada, post.id)).firstCommentStatus).toMatchObject({ state: 'published' })
  const signed = signRequest(instagram.app.clientSecret, payloadOf(account))
  const first = await send('data-deletion', signed)
  expect(first.status).toBe(200)
  const answer = (await first.json()) as { url: string; confirmation_code: string }
  expect(answer.confirmation_code).toMatch(/^[0-9a-z]+$/)
  const row = JSON.stringify(await rowOf(id))
  for (const trace of [account.id, account.scopedId, account.username]) expect(row).not.toContain(trace)
  expect(await read(id)).toMatchObject({ active: false, account: { name: 'Deleted account' } })
  expect(await ada.read(post.id)).toMatchObject({ text: 'Kept', status: 'published' })
  expect(await tracesOf(account)).toBe(0)
  expect(await commentEventsOf(post.id)).toEqual([{ state: 'published', events: [] }])
  expect(await (await send('data-deletion', signed)).json()).toEqual(answer)
  const page = await fetch(answer.url, { headers: { accept: 'text/html' } })
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('The data was deleted')
  const wrong = answer.url.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
  expect((await fetch(wrong, { headers: { accept: 'text/html' } })).status).toBe(404)
})

test('SOC-09 data deletion during a call that publishes leaves no trace of the account', async () => {
  const { account, id } = await connect()
  let deletion: Promise<Response> | null = null
  instagram.watch(async ({ path }) => {
    if (!path.endsWith('/media_publish')) return
    deletion ??= send('data-deletion', signRequest(instagram.app.clientSecret, payloadOf(account)))
    await deletion
  })
  const post = await site.publish({ connectionId: id }, { text: 'In flight', media: await site.red() })
  expect(post.status).toBe('published')
  expect(await read(id)).toMatchObject({ account: { name: 'Deleted account' } })
  expect(await tracesOf(account)).toBe(0)
})

test('SOC-09 data deletion removes the username where the link of a post couldn’t be read', async () => {
  const { account, id } = await connect()
  duringPublishing()
  const { permalink, ...post } = await site.publish({ connectionId: id }, { text: 'No link', media: await site.red() })
  expect(permalink).toBe(`https://www.instagram.com/${account.username}/`)
  expect((await send('data-deletion', signRequest(instagram.app.clientSecret, payloadOf(account)))).status).toBe(200)
  const { status, platformPostId } = post
  expect(await ada.read(post.id)).toMatchObject({ status, platformPostId, permalink: null })
  expect(await tracesOf(account)).toBe(0)
})

test('SOC-09 data deletion during a call leaves no username when the link of its post can’t be read', async () => {
  const { account, id } = await connect()
  duringPublishing(() => send('data-deletion', signRequest(instagram.app.clientSecret, payloadOf(account))))
  const post = await site.publish({ connectionId: id }, { text: 'Neither', media: await site.red() })
  expect(post).toMatchObject({ status: 'published', permalink: null, platformPostId: expect.any(String) })
  expect(await tracesOf(account)).toBe(0)
})

test('SOC-09 data deletion during a call that writes a first comment keeps none of its events', async () => {
  const { account, id } = await connect()
  let deletion: Promise<Response> | null = null
  instagram.watch(async ({ path }) => {
    if (!path.endsWith('/comments')) return
    deletion ??= send('data-deletion', signRequest(instagram.app.clientSecret, payloadOf(account)))
    await deletion
  })
  const values = { text: 'Commented', firstComment: '#late', media: await site.red() }
  const post = await site.publish({ connectionId: id }, values)
  expect((await untilCommented(ada, post.id)).firstCommentStatus).toMatchObject({ state: 'published' })
  expect(await commentEventsOf(post.id)).toEqual([{ state: 'published', events: [] }])
  expect(await tracesOf(account)).toBe(0)
})

test('SOC-09 post whose account removed the app during its call fails at once as signed out', async () => {
  const { account, id } = await connect()
  let removal: Promise<Response> | null = null
  instagram.watch(async ({ path }) => {
    if (!path.endsWith('/media_publish')) return
    removal ??= send('deauthorize', signRequest(instagram.app.clientSecret, payloadOf(account)))
    await removal
  })
  instagram.fail('graph POST /:user/media_publish', 'revoked_token')
  const post = await site.publish({ connectionId: id }, { text: 'Removed', media: await site.red() })
  expect(post).toMatchObject({ status: 'failed', failureCode: 'signed_out' })
})

test('SOC-09 SOC-24 post of a killed server whose account removed the app since then ends as unknown', async () => {
  const { account, id } = await connect()
  let kept: Promise<unknown> | null = null
  instagram.watch(async ({ path }) => {
    if (!path.endsWith('/media_publish')) return
    kept ??= administer(site.databaseUrl, (sql) => sql`CREATE TABLE kept AS SELECT * FROM social.preparations`)
    await kept
  })
  const post = await site.publish({ connectionId: id }, { text: 'Killed', media: await site.red() })
  await send('deauthorize', signRequest(instagram.app.clientSecret, payloadOf(account)))
  await administer(site.databaseUrl, async (sql) => {
    await sql`INSERT INTO social.preparations SELECT * FROM kept WHERE id = ${post.id}`
    await sql`UPDATE social.publish_attempts SET state = 'sending', settled_at = NULL WHERE post_id = ${post.id}`
    await sql`UPDATE social.posts SET status = 'scheduled', due_at = now(), published_at = NULL, permalink = NULL,
      platform_post_id = NULL WHERE id = ${post.id}`
  })
  expect(await ada.until(post.id, isSettled)).toMatchObject({ status: 'failed', failureCode: 'outcome_unknown' })
})

test('SOC-09 bad signature is 400 and changes nothing', async () => {
  const { account, id } = await connect()
  const signed = signRequest(instagram.app.clientSecret, payloadOf(account))
  const [signature = '', payload = ''] = signed.split('.')
  const forged = [
    signRequest('another-secret', payloadOf(account)),
    `${signature}.${Buffer.from(JSON.stringify({ ...payloadOf(account), algorithm: 'HMAC-SHA256' })).toString('base64url')}`,
    `.${payload}`,
    payload,
    'made.up',
  ]
  for (const name of ['deauthorize', 'data-deletion'])
    for (const request of forged) {
      const response = await send(name, request)
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([400, 'bad_signature'])
    }
  expect(await read(id)).toMatchObject({ active: true, health: 'ok' })
})

test('SOC-09 app of another organization can’t disconnect an account, even with the same client ID', async () => {
  const { account, id } = await connect()
  const mallory = await newPublisher(site.url)
  const clientSecret = 'mallory-knows-this'
  await storeApp(mallory, { provider: 'instagram', clientId: instagram.app.clientId, clientSecret })
  const signed = signRequest(clientSecret, payloadOf(account))
  expect((await send('data-deletion', signed)).status).toBe(400)
  expect(await read(id)).toMatchObject({ active: true, health: 'ok' })
})

test('SOC-09 account that was connected again after a data deletion can be deleted again', async () => {
  const { account, id } = await connect()
  const erase = async () =>
    (await send('data-deletion', signRequest(instagram.app.clientSecret, payloadOf(account)))).status
  expect(await erase()).toBe(200)
  const again = await connect(ada, account)
  expect(again.id).not.toBe(id)
  expect(await erase()).toBe(200)
  expect(await read(again.id)).toMatchObject({ active: false, account: { name: 'Deleted account' } })
  expect(await erase()).toBe(200)
})

test('SOC-09 data deletion keeps the rate limit of the same account in another organization', async () => {
  const { account } = await connect()
  const bob = await newPublisher(site.url)
  await storeApp(bob, { provider: 'instagram', ...instagram.app, clientSecret: 'of-another-app' })
  await administer(site.databaseUrl, async (sql) => {
    await sql`INSERT INTO social.connections (id, brand_id, provider, owner_id, external_id, name)
      VALUES (gen_random_uuid(), ${bob.brandId}, 'instagram', ${bob.userId}, ${account.id}, 'Same')`
    await sql`INSERT INTO social.rate_windows (provider, host, account, opens_at)
      VALUES ('instagram', 'instagram', ${account.id}, now() + interval '1 hour')`
  })
  expect((await send('data-deletion', signRequest(instagram.app.clientSecret, payloadOf(account)))).status).toBe(200)
  const left = () =>
    administer(site.databaseUrl, (sql) => sql`SELECT 1 FROM social.rate_windows WHERE account = ${account.id}`)
  expect(await left()).toHaveLength(1)
})

test('SOC-09 accounts that a callback names are found by an index', async () => {
  const plan = await administer(site.databaseUrl, async (sql) => {
    await sql`
      INSERT INTO social.connections (id, brand_id, provider, owner_id, external_id, name, metadata)
      SELECT uuidv7(), ${ada.brandId}, 'instagram', ${ada.userId}, 'many' || n, 'Many', jsonb_build_object('subjects', jsonb_build_array('s' || n))
      FROM generate_series(1, 3000) n`
    await sql`ANALYZE social.connections`
    return sql`
      EXPLAIN SELECT id FROM social.connections
      WHERE provider = 'instagram' AND metadata -> 'subjects' ? ${subjectOf('1')}`
  })
  expect(JSON.stringify(plan)).toContain('connections_subjects')
})
