import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { mailName } from '#views/emails/name.ts'
import { openWorld, password, tokenIn, type World } from '../support/world.ts'

let world: World
let route: string

beforeAll(async () => {
  world = await openWorld()
  route = `POST /api/organizations/${world.ada.things.organizations}/invitations`
})

afterAll(() => world.close())

interface Invitation {
  id: string
  email: string
  role: string
  expired: boolean
  delivery: { state: string }
}

const someone = () => `${newId()}@example.com`

/** Invites an address as Ada and returns the token of its link. */
async function invited(email: string, role = 'editor') {
  const invitation = await world.ada.fetchJson<Invitation>(route, { email, role }, 201)
  return { ...invitation, token: await tokenFor(email) }
}

const tokenFor = async (email: string) => tokenIn((await world.letters(email))[0])
const registers = (token: string) =>
  world.stranger.fetch('POST /api/invitations/register', { token, name: 'Grace', password })
const accepts = (who: { fetch: World['stranger']['fetch'] }, token: string) =>
  who.fetch('POST /api/invitations/accept', { token })
const look = async (token: string, who = world.stranger) => {
  const response = await who.fetch(`GET /invitations/${token}`, undefined, { accept: 'text/html' })
  return { status: response.status, text: await response.text() }
}
const expire = (id: string) =>
  world.database.sql`UPDATE identity.invitations SET expires_at = now() - interval '1 second' WHERE id = ${id}`
/** Moves an invitation's last mail a minute into the past. */
const minutePasses = (id: string) =>
  world.database.sql`UPDATE identity.invitations SET created_at = created_at - interval '1 minute' WHERE id = ${id}`
const code = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code]

test('IDN-10 invited person receives an email, signs up through its link and becomes a member with the invited role', async () => {
  const email = someone()
  const { token, delivery } = await invited(email, 'reviewer')
  expect(delivery.state).toBe('kept')
  const [letter] = await world.letters(email)
  expect(letter?.subject).toBe('Invitation to join “Acme” on Atrium')
  expect(letter?.html).toContain(`/invitations/${token}`)
  expect((await look(token)).text).toContain('Create account and join')
  const response = await registers(token)
  expect(response.status).toBe(201)
  const joined = (await response.json()) as { user: object; organization: object; accessToken: string }
  expect(joined).toMatchObject({ user: { email }, organization: { name: 'Acme', role: 'reviewer' } })
  const members = await world.ada.fetchJson<{ items: object[] }>(
    route.replace('POST', 'GET').replace('invitations', 'members?limit=100'),
  )
  expect(members.items).toContainEqual(expect.objectContaining({ email, role: 'reviewer' }))
})

test('IDN-10 person with an account accepts an invitation while signed in, and the browser works in that organization', async () => {
  const { token } = await invited(world.nora.email, 'viewer')
  expect((await look(token)).text).toContain(`/login?next=${encodeURIComponent(`/invitations/${token}`)}`)
  const { cookie } = await world.nora.signIn()
  const browser = { cookie, 'hx-request': 'true', 'sec-fetch-site': 'same-origin' }
  const response = await world.stranger.fetch('POST /api/invitations/accept', { token }, browser)
  expect(response.headers.get('hx-redirect')).toBe('/')
  const me = await (await world.stranger.fetch('GET /api/auth/me', undefined, { cookie })).json()
  expect(me).toMatchObject({ organization: { name: 'Acme', role: 'viewer' } })
})

test('IDN-10 invitation can be accepted only once, even when its link is used twice at the same time', async () => {
  const { token } = await invited(someone())
  const answers = await Promise.all([1, 2, 3].map(() => registers(token)))
  expect(answers.filter(({ status }) => status === 201).length).toBe(1)
  expect(answers.filter(({ status }) => status === 404).length).toBe(2)
  expect(await look(token)).toMatchObject({ status: 404, text: expect.stringContaining('no longer valid') })
})

test('IDN-10 invitation expires after seven days and can be sent again', async () => {
  const email = someone()
  const { id, token } = await invited(email)
  const [row] = await world.database
    .sql`SELECT expires_at - created_at = '7 days' AS week FROM identity.invitations WHERE id = ${id}`
  expect(row?.['week']).toBe(true)
  await expire(id)
  expect((await registers(token)).status).toBe(404)
  expect((await look(token)).status).toBe(404)
  const again = await invited(email, 'viewer')
  expect(again.token).not.toBe(token)
  expect((await registers(again.token)).status).toBe(201)
})

test('IDN-10 resending an invitation invalidates the previous link', async () => {
  const email = someone()
  const { id, token } = await invited(email)
  await minutePasses(id)
  await world.ada.fetchJson(`${route}/${id}/resend`, {})
  const fresh = await tokenFor(email)
  expect(fresh).not.toBe(token)
  expect((await registers(token)).status).toBe(404)
  expect((await registers(fresh)).status).toBe(201)
})

test('IDN-10 canceled invitation is invalid immediately', async () => {
  const { id, token } = await invited(someone())
  expect((await world.ada.fetch(`${route.replace('POST', 'DELETE')}/${id}`)).status).toBe(204)
  expect((await registers(token)).status).toBe(404)
})

test('IDN-10 invitation is rejected for people with a different address and stays valid', async () => {
  const { email } = world.mallory
  const { token } = await invited(email)
  expect(await code(await accepts(world.nora, token))).toEqual([403, 'invitation_for_another_account'])
  const { cookie } = await world.nora.signIn()
  const page = await world.stranger.fetch(`GET /invitations/${token}`, undefined, { accept: 'text/html', cookie })
  expect(await page.text()).toContain(
    `You’re signed in as <b>${world.nora.email}</b>, but this invitation is for <b>${email}</b>`,
  )
  expect(await code(await registers(token))).toEqual([409, 'email_taken'])
  expect((await accepts(world.mallory, token)).status).toBe(200)
  expect(
    (
      await world.mallory.fetch(
        `DELETE /api/organizations/${world.ada.things.organizations}/members/${world.mallory.id}`,
      )
    ).status,
  ).toBe(404)
})

test('IDN-10 invitation page lists what the role includes and one thing that it doesn’t', async () => {
  const { token } = await invited(someone())
  const { text } = await look(token)
  expect(text).toContain('invited you as <span>an editor</span>')
  const promises = [...text.matchAll(/<li( data-no)?>.*?<span>([^<]*)<\/span><\/span>/gs)]
  expect(promises.map(([, missing, what]) => `${missing ? 'no' : 'yes'}: ${what}`)).toEqual([
    'yes: See brands, accounts and posts',
    'yes: Write and schedule posts',
    'no: Manage brands, accounts and members',
  ])
})

test('IDN-10 declined invitation is deleted and recorded in the organization’s audit log', async () => {
  const { id, token } = await invited(someone())
  expect((await look(token)).text).toContain('Decline')
  const decline = () => world.stranger.fetch('POST /api/invitations/decline', { token })
  expect((await decline()).status).toBe(204)
  expect((await decline()).status).toBe(204)
  expect((await registers(token)).status).toBe(404)
  const { items } = await world.ada.fetchJson<{ items: object[] }>('GET /api/audit?object=invitation&limit=1')
  expect(items).toMatchObject([{ operation: 'declineInvitation', object: { id }, summary: 'Declined an invitation' }])
})

test('IDN-10 guessed and altered invitation tokens are rejected, and the database stores no plaintext token', async () => {
  const { token } = await invited(someone())
  for (const wrong of ['', 'x', `${token}x`, token.toUpperCase(), ' '.repeat(10), "' OR 1=1 --"]) {
    expect((await registers(wrong)).status).toBe(404)
    expect((await accepts(world.ada, wrong)).status).toBe(404)
  }
  const [dump] = await world.database.sql`
    SELECT (SELECT string_agg(i::text, '') FROM identity.invitations i) ||
      (SELECT string_agg(m::text, '') FROM platform.mails m) AS text`
  expect(dump?.['text']).not.toContain(token)
})

test('IDN-10 invitation is not used up by a scanner that opens its link', async () => {
  const { token } = await invited(someone())
  for (let times = 0; times < 3; times++) expect((await look(token)).status).toBe(200)
  expect((await registers(token)).status).toBe(201)
})

test('IDN-10 invitation to a member or an already invited address is rejected with the reason', async () => {
  expect(await code(await world.ada.fetch(route, { email: world.vera.email, role: 'admin' }))).toEqual([
    409,
    'already_member',
  ])
  const email = someone()
  await invited(email)
  expect(await code(await world.ada.fetch(route, { email: email.toUpperCase(), role: 'viewer' }))).toEqual([
    409,
    'already_invited',
  ])
})

test('IDN-10 inviting and resending return 409 while the organization has 200 open invitations', async () => {
  const otto = await world.join(world.mallory, { name: 'Otto', role: 'admin' })
  const { organizations } = world.mallory.things
  await world.database.sql`
    INSERT INTO identity.invitations (id, organization_id, email, role, token_hash, created_at, expires_at)
    SELECT gen_random_uuid(), ${organizations}, n || '@flood.example', 'viewer', 'flood' || n, now(), now() + interval '1 day'
    FROM generate_series(1, 200) n`
  const options = { email: someone(), role: 'viewer' }
  const invite = `POST /api/organizations/${organizations}/invitations`
  expect(await code(await otto.fetch(invite, options))).toEqual([409, 'too_many_invitations'])
  const { invitations } = world.mallory.things
  await expire(invitations)
  await minutePasses(invitations)
  expect(await code(await otto.fetch(`${invite}/${invitations}/resend`, {}))).toEqual([409, 'too_many_invitations'])
})

test('IDN-10 concurrent invitations stop at 200 open ones', async () => {
  const { organizations } = world.ada.things
  await world.database.sql`
    INSERT INTO identity.invitations (id, organization_id, email, role, token_hash, created_at, expires_at)
    SELECT gen_random_uuid(), ${organizations}, n || '@crowd.example', 'viewer', 'crowd' || n, now(), now() + interval '1 day'
    FROM generate_series(1, 197 - (SELECT count(*) FROM identity.invitations
      WHERE organization_id = ${organizations} AND expires_at > now())) n`
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => world.ada.fetch(route, { email: someone(), role: 'viewer' })),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
  await world.database.sql`DELETE FROM identity.invitations WHERE token_hash LIKE 'crowd%'`
})

test('IDN-10 invitation can be emailed again after a minute', async () => {
  const email = someone()
  const { id } = await invited(email)
  const refused = await world.ada.fetch(`${route}/${id}/resend`, {})
  expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 61)
  expect(await code(refused)).toEqual([429, 'invitation_just_sent'])
  expect(await world.letters(email)).toHaveLength(1)
})

test('IDN-10 address receives at most five invitations a day, across organizations and cancellations', async () => {
  const email = someone()
  const statuses: number[] = []
  for (let times = 0; times < 4; times++) {
    const { id } = await invited(email)
    await world.ada.fetch(`${route.replace('POST', 'DELETE')}/${id}`)
  }
  const others = `POST /api/organizations/${world.mallory.things.organizations}/invitations`
  await world.database.sql`DELETE FROM identity.invitations WHERE token_hash LIKE 'flood%'`
  const { id } = await world.mallory.fetchJson<Invitation>(others, { email, role: 'viewer' }, 201)
  await minutePasses(id)
  for (const resend of [`${others}/${id}/resend`, route]) {
    const refused = await world[resend === route ? 'ada' : 'mallory'].fetch(
      resend,
      resend === route ? { email, role: 'viewer' } : {},
    )
    expect(refused.headers.get('retry-after')).toBe('86400')
    statuses.push(refused.status)
  }
  const home = await world.nora.fetchJson<{ id: string }>('POST /api/households', { name: 'Home' }, 201)
  statuses.push((await world.nora.fetch(`POST /api/households/${home.id}/invitations`, { email })).status)
  expect(statuses).toEqual([429, 429, 429])
  expect(await world.letters(email)).toHaveLength(5)
})

test('IDN-10 organization sends at most 200 invitations a day', async () => {
  const { organizations } = world.mallory.things
  await world.database.sql`
    INSERT INTO platform.rate_limits (subject, class, taken, resets_at)
    VALUES (${organizations}, 'invitations-by', 200, now() + interval '1 day')
    ON CONFLICT (subject, class) DO UPDATE SET taken = 200`
  const invite = `POST /api/organizations/${organizations}/invitations`
  expect(await code(await world.mallory.fetch(invite, { email: someone(), role: 'viewer' }))).toEqual([
    429,
    'too_many_mails',
  ])
})

test('IDN-10 names in emails are stripped of links and addresses', async () => {
  const names = ['Act now at http://evil.example/login', 'mail boss@evil.example', 'evil。example', 'x'.repeat(100)]
  expect(names.map(mailName)).toEqual([
    'Act now at evil example/login',
    'mail boss evil example',
    'evil example',
    `${'x'.repeat(59)}…`,
  ])
  expect(['Acme Coffee', 'Dr. Ada K. Lovelace', 'Smith & Co.'].map(mailName)).toEqual([
    'Acme Coffee',
    'Dr. Ada K. Lovelace',
    'Smith & Co.',
  ])
  const body = { name: 'Evil', email: someone(), password, organizationName: 'https://evil.example/login' }
  const { accessToken, organization } = await world.stranger.fetchJson<{
    accessToken: string
    organization: { id: string }
  }>('POST /register', { ...body, createOrganization: true }, 201)
  const email = someone()
  const headers = { authorization: `Bearer ${accessToken}` }
  const invite = `POST /api/organizations/${organization.id}/invitations`
  expect((await world.stranger.fetch(invite, { email, role: 'viewer' }, headers)).status).toBe(201)
  const [letter] = await world.letters(email)
  expect(letter?.subject).toBe('Invitation to join “evil example/login” on Atrium')
  expect(`${letter?.text} ${letter?.html}`).not.toContain('evil.example')
})

test('IDN-10 password equal to the invited address is rejected', async () => {
  const email = someone()
  const { token } = await invited(email)
  const body = { token, name: 'Grace', password: email.toUpperCase() }
  const response = await world.stranger.fetch('POST /api/invitations/register', body)
  expect([response.status, await response.json()]).toMatchObject([422, { errors: [{ path: 'password' }] }])
  expect((await registers(token)).status).toBe(201)
})

test('IDN-10 invitation body with another organization, inviter or expiry is rejected', async () => {
  const email = someone()
  const sly = {
    organizationId: world.mallory.things.organizations,
    invitedBy: world.mallory.id,
    expiresAt: '2999-01-01T00:00:00Z',
    token: 'chosen',
  }
  const refused = await world.ada.fetch(route, { email, role: 'viewer', ...sly })
  const { errors } = (await refused.json()) as { errors: { path: string }[] }
  expect([refused.status, errors.map(({ path }) => path)]).toEqual([422, Object.keys(sly)])
  // The organization id in the path takes precedence over the one in the body.
  const options = { email, role: 'viewer', id: world.mallory.things.organizations }
  const made = await world.ada.fetchJson<{ invitedBy: { name: string }; expiresAt: string }>(route, options, 201)
  expect(made.invitedBy.name).toBe('Ada')
  expect(Date.parse(made.expiresAt)).toBeLessThan(Date.now() + 8 * 24 * 60 * 60 * 1000)
  expect((await registers('chosen')).status).toBe(404)
  expect(await (await registers(await tokenFor(email))).json()).toMatchObject({ organization: { name: 'Acme' } })
})
