import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, password, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})

afterAll(() => world.close())

interface Listed {
  items: { id: string; current: boolean; organization: string | null }[]
}

const signIn = (secret: string) =>
  world.stranger.fetch('POST /api/auth/login', { email: world.vera.email, password: secret })

test('IDN-03 person lists their sessions, and an ended session is rejected on its next request', async () => {
  const other = await world.vera.signIn()
  const { items } = await world.vera.fetchJson<Listed>('GET /api/auth/sessions')
  expect(items.map(({ current }) => current)).toEqual([true, ...items.slice(1).map(() => false)])
  const ofOther = await other.fetchJson<Listed>('GET /api/auth/sessions')
  const id = ofOther.items.find(({ current }) => current)?.id
  expect(items.map((session) => session.id)).toContain(id ?? '')
  await world.vera.fetchJson(`DELETE /api/auth/sessions/${id}`, undefined, 204)
  expect((await other.fetch('GET /api/auth/me')).status).toBe(401)
  expect((await world.vera.fetch(`DELETE /api/auth/sessions/${id}`)).status).toBe(404)
  expect((await world.vera.fetch(`DELETE /api/auth/sessions/${world.ada.things.sessions}`)).status).toBe(404)
})

test('IDN-03 ending a session returns the list of remaining sessions to htmx', async () => {
  const { items } = await world.vera.fetchJson<Listed>('GET /api/auth/sessions')
  await world.vera.signIn()
  const all = await world.vera.fetchJson<Listed>('GET /api/auth/sessions')
  const ended = all.items.find(({ id }) => !items.some((each) => each.id === id))?.id ?? ''
  const answer = await world.vera.fetch(`DELETE /api/auth/sessions/${ended}`, undefined, { 'hx-request': 'true' })
  const fragment = await answer.text()
  expect([answer.status, answer.headers.get('hx-redirect')]).toEqual([200, null])
  expect(fragment).toStartWith('<section class="section" id="session-list"')
  expect([fragment.includes(ended), fragment.includes(items[0]?.id ?? '?')]).toEqual([false, true])
})

test('PLT-06 next page of sessions is loaded from the list’s URL and links to the page after it', async () => {
  for (let more = 0; more < 2; more++) await world.nora.signIn()
  const htmx = { 'hx-request': 'true' }
  const address = '/api/auth/sessions?limit=1'
  const first = await (await world.nora.fetch(`GET ${address}`, undefined, htmx)).text()
  const [, next = ''] = /hx-get="\/api\/auth\/sessions\?limit=\d+&amp;(cursor=[^"]+)"/.exec(first) ?? []
  const second = await (await world.nora.fetch(`GET ${address}&${next}`, undefined, htmx)).text()
  const idsIn = (fragment: string) => [...fragment.matchAll(/<li id="session-([\w-]+)"/g)].map(([, id]) => id)
  expect([idsIn(first).length, idsIn(second).length]).toEqual([1, 1])
  expect(idsIn(second)).not.toEqual(idsIn(first))
  expect(second).toContain('<li class="more">')
})

test('IDN-03 password change requires the current password and ends the other sessions', async () => {
  const other = await world.vera.signIn()
  const change = (currentPassword: string, next: string) =>
    world.vera.fetch('POST /api/auth/password', { currentPassword, password: next })
  expect((await change('not the password', 'a new horse battery')).status).toBe(422)
  expect((await change(password, 'short')).status).toBe(422)
  expect((await change(password, world.vera.email)).status).toBe(422)
  expect((await other.fetch('GET /api/auth/me')).status).toBe(200)
  expect((await change(password, 'a new horse battery')).status).toBe(204)
  expect((await other.fetch('GET /api/auth/me')).status).toBe(401)
  expect((await world.vera.fetch('GET /api/auth/me')).status).toBe(200)
  expect((await signIn(password)).status).toBe(401)
  expect((await signIn('a new horse battery')).status).toBe(200)
})
