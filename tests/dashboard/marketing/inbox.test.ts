import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { totp } from '../../support/totp.ts'
import { openWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

interface Item {
  id: string
  email: string | null
  state: string
}

const send = (message: Record<string, unknown>) => world.stranger.fetchJson('POST /api/contact', message, 201)
const listed = async (query: string): Promise<Item[]> =>
  (await world.root.fetchJson<{ items: Item[] }>(`GET /api/admin/inbox?${query}`)).items

test('DSH-31 contact, feedback and waitlist reach the inbox of super admins alone, found by kind, state and text', async () => {
  await send({ name: 'Petra Voss', email: 'petra@example.com', message: 'Two brands to start' })
  await send({ kind: 'feedback', topic: 'idea', message: 'More keyboard shortcuts' })
  await world.stranger.fetchJson('POST /api/waitlist', { email: 'wait@example.com', topics: ['video'] }, 201)
  expect(await listed('kind=contact&q=Two brands')).toMatchObject([{ email: 'petra@example.com', state: 'open' }])
  expect(await listed('kind=feedback&q=keyboard')).toHaveLength(1)
  expect(await listed('kind=waitlist&q=wait@example.com')).toHaveLength(1)
  const [found] = await listed('q=Two brands')
  await world.root.fetchJson(`PUT /api/admin/inbox/${found?.id}`, { state: 'done' })
  expect(await listed('state=open&q=Two brands')).toEqual([])
  expect(await listed('state=done&q=Two brands')).toHaveLength(1)
  for (const caller of [world.ada, world.vera, world.mallory]) {
    expect((await caller.fetch('GET /api/admin/inbox')).status).toBe(403)
    expect((await caller.fetch(`GET /api/admin/inbox/${found?.id}`)).status).toBe(403)
  }
})

test('DSH-31 export of the inbox has all rows of the filter, and no cell that a spreadsheet runs as a formula', async () => {
  await world.database.sql`
    INSERT INTO dashboard.inquiries (id, kind, topics, name, email, message, fingerprint, created_at, expires_at)
    SELECT gen_random_uuid(), 'feedback', '{}', 'Many ' || n, NULL, '=HYPERLINK("http://evil.example")', 'many-' || n, now(), now() + interval '1 day'
    FROM generate_series(1, 1203) n`
  const response = await world.root.fetch('GET /api/admin/inbox/export?kind=feedback&q=Many')
  expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/csv')])
  const [header = '', ...lines] = (await response.text()).trimEnd().split('\r\n')
  expect(header).toStartWith('id,reference,kind')
  expect(lines).toHaveLength(1203)
  expect(new Set(lines.map((line) => /Many \d+/.exec(line)?.[0])).size).toBe(1203)
  expect(lines.filter((line) => !line.includes(`"'=HYPERLINK(`))).toEqual([])
  expect((await world.ada.fetch('GET /api/admin/inbox/export')).status).toBe(403)
})

test('DSH-31 DSH-36 messages of an address are erased only in an admin session, which a second factor opens and which ends on the server', async () => {
  await send({ name: 'Gone', email: 'gone@example.com', message: 'Delete me' })
  const secret = await addAuthenticator()
  const erase = { email: 'gone@example.com' }
  expect((await world.root.fetch('POST /api/admin/inbox/erasures', erase)).status).toBe(403)
  const wrong = await world.root.fetch('POST /api/admin/session', { code: '000000' })
  expect(wrong.status).toBe(422)
  const opened = await world.root.fetch('POST /api/admin/session', { code: totp(secret) })
  expect(opened.status).toBe(201)
  const cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  expect(cookie).toContain('admin_session=')
  for (const forged of [`${cookie.slice(0, -2)}xx`, `${cookie}%`, 'admin_session=Infinity.x']) {
    const headers = { ...world.root.credential, cookie: forged }
    expect((await world.root.fetch('POST /api/admin/inbox/erasures', erase, headers)).status).toBe(403)
  }
  const confirmed = { ...world.root.credential, cookie }
  const erased = await world.root.fetch('POST /api/admin/inbox/erasures', erase, confirmed)
  expect([erased.status, await erased.json()]).toEqual([200, { erased: 1 }])
  expect(await listed('q=Delete me')).toEqual([])
  const ended = await world.root.fetch('DELETE /api/admin/session')
  expect(ended.headers.getSetCookie()[0]).toMatch(/Max-Age=0/i)
  // A copy of the cookie.
  const after = await world.root.fetch('POST /api/admin/inbox/erasures', erase, confirmed)
  expect([after.status, (await after.json()).code]).toEqual([403, 'admin_session_required'])
})

/** For the super admin. Returns its secret. */
async function addAuthenticator(): Promise<string> {
  const [secret, id] = ['GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', newId()]
  const sealed = world.provided.secrets.seal(secret, `identity.totp_authenticators:${id}`)
  await world.database.sql`
    INSERT INTO identity.totp_authenticators (id, user_id, sealed_secret, created_at, confirmed_at, last_step)
    VALUES (${id}, ${world.root.id}, ${sealed}, now(), now(), 0)`
  return secret
}
