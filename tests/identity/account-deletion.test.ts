import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, password, type Caller, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})

afterAll(() => world.close())

interface Refusal {
  code: string
  cancellation: string
  deletesAt: string
  organizations: { name: string }[]
}
const refusalOf = async (response: Response) => ({
  status: response.status,
  ...((await response.json()) as Partial<Refusal>),
})
const request = (who: Caller, email: string, options: Record<string, unknown> = {}) =>
  who.fetch('DELETE /api/auth/me', { confirm: email, password, ...options })
const login = (email: string, headers: Record<string, string> = {}) =>
  world.stranger.fetch('POST /api/auth/login', { email, password }, headers)
const cancel = (cancellation: string) => world.stranger.fetch('DELETE /api/auth/me/deletion', { cancellation })
const fieldsOf = async (response: Response) =>
  ((await response.json()) as { errors: { path: string }[] }).errors.map(({ path }) => path)
const newcomer = (name: string, role = 'editor') => world.join(world.ada, { name, role })

/** Signs in to cancel the deletion of the account. */
async function keep(email: string): Promise<void> {
  const { cancellation = '' } = await refusalOf(await login(email))
  expect((await cancel(cancellation)).status).toBe(204)
}

test('PLT-39 account deletion requires the owner’s typed email address and a proof', async () => {
  const { nora } = world
  expect(await fieldsOf(await request(nora, 'unknown@example.com'))).toEqual(['confirm'])
  expect(await fieldsOf(await request(nora, nora.email, { password: undefined }))).toEqual(['password'])
  expect(await fieldsOf(await request(nora, nora.email, { password: 'wrong horse battery' }))).toEqual(['password'])
  for (const other of [world.key, world.service]) expect((await request(other, nora.email)).status).toBe(403)
  expect((await nora.fetch('GET /api/auth/me')).status).toBe(200)
})

test('PLT-39 account scheduled for deletion is signed out everywhere and can only cancel after signing in', async () => {
  const email = world.nora.email
  const elsewhere = await world.nora.signIn()
  const requested = await request(world.nora, email.toUpperCase())
  expect(requested.status).toBe(202)
  const deletion = (await requested.json()) as { requestedAt: string; deletesAt: string }
  expect(Date.parse(deletion.deletesAt) - Date.parse(deletion.requestedAt)).toBe(30 * 24 * 60 * 60 * 1000)
  for (const session of [world.nora, elsewhere]) expect((await session.fetch('GET /api/auth/me')).status).toBe(401)
  const refused = await refusalOf(await login(email))
  expect(refused).toMatchObject({ status: 403, code: 'account_deletion_pending', deletesAt: deletion.deletesAt })
  expect(refused).not.toHaveProperty('accessToken')
  const sessions = await world.database.sql`SELECT FROM identity.sessions WHERE user_id = ${world.nora.id}`
  expect(sessions.length).toBe(0)
  expect((await cancel('nonsense')).status).toBe(404)
  const newer = await refusalOf(await login(email))
  expect((await cancel(refused.cancellation ?? '')).status).toBe(404)
  expect((await cancel(newer.cancellation ?? '')).status).toBe(204)
  expect((await cancel(newer.cancellation ?? '')).status).toBe(404)
  expect((await login(email)).status).toBe(200)
})

test('PLT-39 browser that signs in to an account scheduled for deletion is redirected to a page with the date and a Cancel button', async () => {
  const person = await newcomer('Paula')
  expect((await request(person, person.email)).status).toBe(202)
  const fromPage = { 'hx-request': 'true', 'sec-fetch-site': 'same-origin' }
  const answer = await login(person.email, fromPage)
  expect(answer.headers.get('hx-redirect')).toBe('/login/deletion')
  const cookies = answer.headers.getSetCookie().map((text) => text.split(';')[0] ?? '')
  expect(cookies.some((text) => /session|refresh/.test(text))).toBe(false)
  const html = { accept: 'text/html', 'sec-fetch-site': 'same-origin' }
  const page = await world.stranger.fetch('GET /login/deletion', undefined, { ...html, cookie: cookies.join('; ') })
  const shown = await page.text()
  expect(shown).toContain('Cancel deletion')
  expect(shown).toMatch(/href="\/login"><span>Use another account/)
  const without = await world.stranger.fetch('GET /login/deletion', undefined, html)
  expect(await without.text()).not.toContain(person.email)
  const kept = await world.stranger.fetch('DELETE /api/auth/me/deletion', undefined, {
    ...fromPage,
    cookie: cookies.join('; '),
  })
  expect(kept.headers.get('hx-redirect')).toBe('/login')
  expect((await login(person.email)).status).toBe(200)
})

test('PLT-39 API keys of an account scheduled for deletion stop working, and work again when the deletion is canceled', async () => {
  const person = await newcomer('Karla', 'admin')
  const key = await person.createKey({ scopes: ['posts.read'] })
  expect((await key.fetch('GET /api/posts')).status).toBe(200)
  expect((await request(person, person.email)).status).toBe(202)
  expect((await key.fetch('GET /api/posts')).status).toBe(401)
  await keep(person.email)
  expect((await key.fetch('GET /api/posts')).status).toBe(200)
})

test('PLT-39 emailed links don’t work for an account scheduled for deletion', async () => {
  const person = await newcomer('Lena')
  await world.stranger.fetchJson('POST /api/auth/magic-link', { email: person.email }, 202)
  const tokenOf = async () =>
    /token=([\w-]+)/.exec(
      (await world.letters(person.email)).find(({ text }) => text.includes('token='))?.text ?? '',
    )?.[1]
  const earlier = await tokenOf()
  expect((await request(person, person.email)).status).toBe(202)
  expect((await world.stranger.fetch('POST /magic-link/consume', { token: earlier })).status).toBe(404)
  await world.stranger.fetchJson('POST /api/auth/magic-link', { email: person.email }, 202)
  const later = await refusalOf(await world.stranger.fetch('POST /magic-link/consume', { token: await tokenOf() }))
  expect(later).toMatchObject({ status: 403, code: 'account_deletion_pending' })
})

test('IDN-10 PLT-39 account deletion is rejected and lists the organizations whose last owner is the person', async () => {
  const refused = await refusalOf(await request(world.ada, world.ada.email))
  expect(refused).toMatchObject({
    status: 409,
    code: 'last_owner',
    organizations: [{ id: world.ada.things.organizations, name: 'Acme' }],
  })
  expect((await world.ada.fetch('GET /api/auth/me')).status).toBe(200)
})

test('IDN-10 PLT-39 owner scheduled for deletion doesn’t count as the remaining owner when the other one leaves or deletes their account', async () => {
  const other = await newcomer('Otto', 'owner')
  expect((await request(other, other.email)).status).toBe(202)
  const { organizations } = world.ada.things
  const left = await world.ada.fetch(`DELETE /api/organizations/${organizations}/members/${world.ada.id}`)
  expect(await refusalOf(left)).toMatchObject({ status: 409, code: 'last_owner' })
  const demoted = await world.ada.fetch(`PATCH /api/organizations/${organizations}/members/${world.ada.id}`, {
    role: 'admin',
  })
  expect(await refusalOf(demoted)).toMatchObject({ status: 409, code: 'last_owner' })
  expect(await refusalOf(await request(world.ada, world.ada.email))).toMatchObject({ status: 409, code: 'last_owner' })
  await keep(other.email)
})

test('IDN-10 PLT-39 one of two owners who request account deletion at the same time is rejected', async () => {
  const one = await world.stranger.fetchJson<{ accessToken: string; organization: { id: string } }>(
    'POST /register',
    { email: 'one@example.com', password, name: 'One', createOrganization: true, organizationName: 'Pair' },
    201,
  )
  const two = await world.stranger.fetchJson<{ accessToken: string; user: { id: string } }>(
    'POST /register',
    { email: 'two@example.com', password, name: 'Two' },
    201,
  )
  await world.database.sql`
    INSERT INTO identity.memberships (organization_id, user_id, role, created_at)
    VALUES (${one.organization.id}, ${two.user.id}, 'owner', now())`
  const send = (accessToken: string, confirm: string) =>
    world.stranger.fetch('DELETE /api/auth/me', { confirm, password }, { authorization: `Bearer ${accessToken}` })
  const both = await Promise.all([send(one.accessToken, 'one@example.com'), send(two.accessToken, 'two@example.com')])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 409])
})

test('PLT-39 account deletion is accepted when the person’s only organization is also being deleted', async () => {
  const registration = {
    email: 'solo@example.com',
    password,
    name: 'Solo',
    createOrganization: true,
    organizationName: 'Solo',
  }
  const { accessToken, organization } = await world.stranger.fetchJson<{
    accessToken: string
    organization: { id: string }
  }>('POST /register', registration, 201)
  const bearer = { authorization: `Bearer ${accessToken}` }
  const route = `DELETE /api/organizations/${organization.id}`
  expect((await world.stranger.fetch(route, { confirm: 'Solo', password }, bearer)).status).toBe(202)
  expect(
    (await world.stranger.fetch('DELETE /api/auth/me', { confirm: 'solo@example.com', password }, bearer)).status,
  ).toBe(202)
})

test('PLT-39 person is emailed when their account deletion is requested and when it is canceled', async () => {
  const person = await newcomer('Mila')
  expect((await request(person, person.email)).status).toBe(202)
  expect((await world.letters(person.email))[0]?.subject).toMatch(
    /^Your Atrium account will be deleted on \d+ \w+ \d{4}$/,
  )
  await keep(person.email)
  const subjects = (await world.letters(person.email)).map(({ subject }) => subject)
  expect(subjects).toContain('Your Atrium account will not be deleted')
})

test('PLT-38 PLT-39 super admin cancels an account deletion with a reason', async () => {
  const person = await newcomer('Nina')
  expect((await request(person, person.email)).status).toBe(202)
  const route = `/api/admin/users/${person.id}`
  expect(await world.root.fetchJson(`GET ${route}`)).toMatchObject({ deletesAt: expect.any(String) })
  expect((await world.root.fetch(`DELETE ${route}/deletion`, {})).status).toBe(422)
  await world.root.fetchJson(`DELETE ${route}/deletion`, { reason: 'They called.' }, 204)
  const [letter] = await world.letters(person.email)
  expect(letter?.subject).toBe('Support changed your Atrium account')
  expect(letter?.text).toContain('Reason: They called.')
  expect((await login(person.email)).status).toBe(200)
  expect((await world.root.fetch(`DELETE ${route}/deletion`, { reason: 'Again.' })).status).toBe(404)
})

test('PLT-39 account deletion can’t be canceled after it is final', async () => {
  const person = await newcomer('Olga')
  expect((await request(person, person.email)).status).toBe(202)
  await world.database.sql`
    UPDATE identity.account_deletions SET requested_at = requested_at - interval '31 days',
      deletes_at = deletes_at - interval '31 days' WHERE user_id = ${person.id}`
  const { cancellation = '' } = await refusalOf(await login(person.email))
  expect(await refusalOf(await cancel(cancellation))).toMatchObject({ status: 409, code: 'deletion_final' })
})
