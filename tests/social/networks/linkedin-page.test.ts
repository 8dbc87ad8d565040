import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'
import type { Connection, Media } from '#social/types'
import type { Member, Organization } from '../../counterparts/linkedin/directory.ts'
import { startLinkedIn, type LinkedInCounterpart } from '../../counterparts/linkedin/index.ts'
import { freshDatabase, type TestDatabase } from '../../support/database.ts'
import { inMs, isSettled, newPublisher, type Post, type Publisher } from '../../support/publisher.ts'
import { serveInProcess, type Server } from '../../support/serve-in-process.ts'
import { beginConnecting, comeBack, storeApp } from './connect.ts'
import { testOutcomes } from './outcomes.ts'

let database: TestDatabase
let linkedin: LinkedInCounterpart
let server: Server
let ada: Publisher

beforeAll(async () => {
  database = await freshDatabase()
  linkedin = startLinkedIn({ isPartner: true })
  const { www, api } = linkedin.urls
  const env = { NETWORK_ORIGINS: `www.linkedin.com=${www},api.linkedin.com=${api}` }
  server = await serveInProcess({ databaseUrl: database.url, env })
  linkedin.apps.page.redirectUris.push(`${server.url}/workspace/accounts/callback/linkedin-page`)
  ada = await newPublisher(server.url)
  await storeApp(ada, { provider: 'linkedin-page', ...linkedin.apps.page })
})

afterAll(async () => {
  await server.stop()
  await linkedin.stop()
  await database.drop()
})

const create = 'api POST /rest/posts'
let pages = 0

/** Consents, and returns the URL of the page on which a person chooses. */
const consent = async (member: Member, without: string[] = []): Promise<URL> =>
  comeBack(ada, linkedin.consent(await beginConnecting(ada, 'linkedin-page'), member, { without }))

const choose = (at: URL, targets: string[], status = 201, who = ada) =>
  who.call<{ connections: Connection[]; errors?: unknown[]; code?: string }>(
    'POST',
    '/api/integrations/linkedin-page/targets',
    { choice: at.searchParams.get('choice'), targets },
    status,
  )

const draw = async (at: URL): Promise<string> => {
  const headers = { authorization: `Bearer ${ada.token}`, accept: 'text/html' }
  return (await fetch(at, { headers })).text()
}

async function connect() {
  const member = linkedin.directory.member(`Ada ${(pages += 1)}`)
  const page = linkedin.directory.organization(`Acme ${pages}`, member)
  const { connections } = await choose(await consent(member), [page.id])
  const connectionId = connections[0]?.id ?? ''
  return { member, page, connectionId, posts: () => linkedin.posts(page).length }
}

async function publish({ connectionId }: { connectionId: string }, values: Record<string, unknown>): Promise<Post> {
  const target = { connectionId }
  const fields = { provider: 'linkedin-page', status: 'scheduled', target, ...values }
  const { id } = await ada.post({ ...fields, scheduledAt: inMs(150) })
  return ada.until(id, isSettled, 30_000)
}

async function upload(alt: string): Promise<Media> {
  const image = sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
  const file = (await image.png().toBuffer()).toString('base64')
  return ada.call('POST', '/api/media', { brandId: ada.brandId, file, alt }, 201)
}

test('SOC-05 SOC-06 chosen Pages of a member are connected, and no others', async () => {
  const member = linkedin.directory.member('Jonas Brandt')
  const [berlin, hamburg] = ['Acme Berlin', 'Acme Hamburg'].map((name) =>
    linkedin.directory.organization(name, member),
  ) as [Organization, Organization]
  const readOnly = linkedin.directory.organization('Kiezfest')
  linkedin.directory.assign(member, readOnly, 'ANALYST')
  const at = await consent(member)
  const page = await draw(at)
  for (const text of ['Acme Berlin', 'Acme Hamburg', 'Kiezfest', 'Your role can’t publish'])
    expect(page).toContain(text)
  const { connections } = await choose(at, [berlin.id])
  expect(connections).toMatchObject([{ health: 'ok', account: { id: berlin.id, name: 'Acme Berlin' } }])
  const { items } = await ada.call<{ items: Connection[] }>('GET', '/api/accounts?provider=linkedin-page')
  expect(items.some(({ account }) => account.id === hamburg.id)).toBe(false)
})

test('SOC-05 choice is used once, by the person who consented, for what was offered', async () => {
  const member = linkedin.directory.member('Once')
  const page = linkedin.directory.organization('Once Inc', member)
  const readOnly = linkedin.directory.organization('Read only')
  linkedin.directory.assign(member, readOnly, 'ANALYST')
  const at = await consent(member)
  const bob = await newPublisher(server.url)
  expect(await choose(at, [page.id], 409, bob)).toMatchObject({ code: 'choice_expired' })
  const message = 'Choose only accounts that can be connected.'
  for (const targets of [[readOnly.id], ['404']])
    expect(await choose(at, targets, 422)).toMatchObject({ errors: [{ path: 'targets', message }] })
  await choose(at, [page.id])
  expect(await choose(at, [page.id], 409)).toMatchObject({ code: 'choice_expired' })
  const expired = await fetch(at, {
    headers: { authorization: `Bearer ${ada.token}`, accept: 'text/html' },
    redirect: 'manual',
  })
  expect([expired.status, expired.headers.get('location')]).toEqual([303, expect.stringContaining('expired')])
})

test('SOC-05 Page that a new consent leaves out is named and stays connected', async () => {
  const { member, page, connectionId } = await connect()
  linkedin.directory.dismiss(member, page)
  const other = linkedin.directory.organization('Another', member)
  const at = await consent(member)
  expect(await draw(at)).toContain(page.name)
  await choose(at, [other.id])
  expect(await ada.call<Connection>('GET', `/api/accounts/${connectionId}`)).toMatchObject({ active: true })
})

test('SOC-05 canceled and partial consent connect nothing and are explained', async () => {
  const member = linkedin.directory.member('Partial')
  const led = await consent(member, ['w_organization_social'])
  expect([led.searchParams.get('unconnected'), led.searchParams.get('missing')]).toEqual([
    'partial',
    'w_organization_social',
  ])
})

test('SOC-06 SOC-24 post of a Page is published as the Page, and found again after a lost response', async () => {
  const account = await connect()
  linkedin.fail(create, 'connection_lost')
  const post = await publish(account, { text: 'Fresh #coffee (today)' })
  const [shown] = linkedin.posts(account.page)
  expect(shown).toMatchObject({ author: account.page.urn, text: 'Fresh #coffee (today)' })
  expect(post).toMatchObject({ status: 'published', platformPostId: shown?.urn })
  expect(account.posts()).toBe(1)
})

test('SOC-23 post of a Page whose role was taken away fails with what to do', async () => {
  const account = await connect()
  linkedin.directory.dismiss(account.member, account.page)
  const post = await publish(account, { text: 'Too late' })
  expect(post).toMatchObject({ status: 'failed', failureCode: 'permission_missing' })
  expect(post.failureMessage).toContain('Connect it again')
})

testOutcomes({
  network: 'LinkedIn Page',
  provider: 'linkedin-page',
  ada: () => ada,
  counterpart: () => linkedin,
  route: create,
  connect,
  media: async () => [{ mediaId: (await upload('Red')).id, alt: 'Red' }],
  outcomes: {
    ok: { status: 'published', code: null, says: '', posts: 1 },
    unauthorized: { status: 'published', code: null, says: '', posts: 1 },
    expired_token: { status: 'published', code: null, says: '', posts: 1 },
    forbidden: { status: 'failed', code: 'permission_missing', says: 'allow everything', posts: 0 },
    media_refused: { status: 'failed', code: 'media_refused', says: 'Replace it', posts: 0 },
    server_error: { status: 'published', code: null, says: '', posts: 1 },
    no_answer_before: { status: 'published', code: null, says: '', posts: 1 },
    no_answer_after: { status: 'published', code: null, says: '', posts: 1 },
    connection_lost: { status: 'published', code: null, says: '', posts: 1 },
    malformed: { status: 'published', code: null, says: '', posts: 1 },
    'server_error until the end': { status: 'failed', code: 'provider_error', says: '503', posts: 0 },
  },
})
