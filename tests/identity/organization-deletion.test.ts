import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, password, type World } from '../support/world.ts'

let world: World
let route: string

beforeAll(async () => {
  world = await openWorld()
  route = `/api/organizations/${world.ada.things.organizations}`
})

afterAll(() => world.close())

interface Deletion {
  organizationId: string
  requestedAt: string
  deletesAt: string
}
const request = (options: Record<string, unknown> = {}) =>
  world.ada.fetch(`DELETE ${route}`, { confirm: 'Acme', password, ...options })
const cancel = (caller = world.ada as World['stranger']) => caller.fetch(`DELETE ${route}/deletion`)
const codeOf = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code]
const fieldsOf = async (response: Response) =>
  ((await response.json()) as { errors: { path: string }[] }).errors.map(({ path }) => path)
const suspended = [403, 'workspace_suspended']
const html = { accept: 'text/html', 'sec-fetch-site': 'same-origin' }

test('PLT-39 organization deletion requires the owner role, the typed name and a proof', async () => {
  expect(await fieldsOf(await request({ confirm: 'acme' }))).toEqual(['confirm'])
  expect(await fieldsOf(await request({ confirm: undefined }))).toEqual(['confirm'])
  expect(await fieldsOf(await request({ password: undefined }))).toEqual(['password'])
  expect(await fieldsOf(await request({ password: 'wrong horse battery' }))).toEqual(['password'])
  for (const other of [world.vera, world.key, world.mallory])
    expect([403, 404]).toContain((await other.fetch(`DELETE ${route}`, { confirm: 'Acme', password })).status)
  expect((await world.ada.fetch('GET /api/posts')).status).toBe(200)
})

test('PLT-39 organization deletion locks the organization immediately for 30 days, and any owner can cancel it', async () => {
  const requested = await request()
  expect(requested.status).toBe(202)
  const deletion = (await requested.json()) as Deletion
  expect(Date.parse(deletion.deletesAt) - Date.parse(deletion.requestedAt)).toBe(30 * 24 * 60 * 60 * 1000)
  for (const caller of [world.ada, world.vera, world.key]) {
    const refused = await caller.fetch('GET /api/posts')
    expect(await codeOf(refused.clone())).toEqual(suspended)
    expect(((await refused.json()) as Deletion).deletesAt).toBe(deletion.deletesAt)
  }
  expect(await codeOf(await request())).toEqual(suspended)
  expect(await world.vera.fetchJson<Deletion>(`GET ${route}/deletion`)).toMatchObject(deletion)
  for (const [caller, canCancel] of [
    [world.ada, true],
    [world.vera, false],
  ] as const) {
    const can = { cancel: canCancel }
    const { items } = await caller.fetchJson<{ items: object[] }>('GET /api/organization-deletions')
    expect(items).toMatchObject([{ name: 'Acme', deletesAt: deletion.deletesAt, can }])
    const own = await caller.fetchJson<{ items: object[] }>('GET /api/organizations')
    expect(own.items).toMatchObject([{ current: false, deletion: { deletesAt: deletion.deletesAt, can } }])
  }
  expect(await world.mallory.fetchJson<object>('GET /api/organization-deletions')).toMatchObject({ items: [] })
  expect((await world.mallory.fetch(`GET ${route}/deletion`)).status).toBe(404)
  const state = `GET /api/internal/organizations/${world.ada.things.organizations}/state`
  expect(await world.service.fetchJson(state)).toEqual({ exists: true, suspended: true, timeZone: null })
  expect(await codeOf(await cancel(world.vera))).toEqual([403, 'permission_missing'])
  expect((await cancel(world.mallory)).status).toBe(404)
  expect((await cancel()).status).toBe(204)
  for (const caller of [world.ada, world.vera, world.key])
    expect((await caller.fetch('GET /api/posts')).status).toBe(200)
  expect((await cancel()).status).toBe(404)
})

test('PLT-39 members of an organization that is being deleted are redirected to a page with the date', async () => {
  const ada = await world.ada.signIn()
  const vera = await world.vera.signIn()
  expect((await request()).status).toBe(202)
  const visit = (path: string, { cookie }: { cookie: string }) =>
    world.stranger.fetch(`GET ${path}`, undefined, { ...html, cookie })
  const sent = await visit('/workspace/posts', ada)
  expect([sent.status, sent.headers.get('location')]).toEqual([303, '/settings/organization/deletion'])
  const own = await (await visit('/settings/organization/deletion', ada)).text()
  expect(own).toContain('Will be deleted on')
  expect(own).toContain('Cancel deletion')
  const read = await (await visit('/settings/organization/deletion', vera)).text()
  expect(read).toContain('Will be deleted on')
  expect(read).not.toContain('Cancel deletion')
  const listed = await (await visit('/settings/workspaces', ada)).text()
  expect(listed).toContain('Will be deleted on')
  expect(listed).toContain('Cancel deletion of Acme')
  expect(listed).not.toContain('Switch to Acme')
  const seen = await (await visit('/settings/workspaces', vera)).text()
  expect(seen).toContain('Will be deleted on')
  expect(seen).not.toContain('Cancel deletion')
  expect((await cancel()).status).toBe(204)
  expect((await visit('/workspace/posts', ada)).status).toBe(200)
})

test('PLT-39 dialog that deletes an organization offers an export', async () => {
  const { cookie } = await world.ada.signIn()
  const page = await world.stranger.fetch('GET /settings/organization', undefined, { ...html, cookie })
  expect((await page.text()).replaceAll(/\s+/g, ' ')).toMatch(/href="\/settings\/export"> ?export it first/)
})

test('PLT-39 owners are emailed when a deletion is requested and when it is canceled, and both are logged', async () => {
  expect((await request()).status).toBe(202)
  const [requested] = await world.letters(world.ada.email)
  expect(requested?.subject).toMatch(/^Acme will be deleted on \d+ \w+ \d{4}$/)
  expect((await cancel()).status).toBe(204)
  expect((await world.letters(world.ada.email))[0]?.subject).toBe('Acme will not be deleted')
  expect(await world.letters(world.vera.email)).not.toContainEqual(
    expect.objectContaining({ subject: requested?.subject }),
  )
  const { items } = await world.ada.fetchJson<{ items: { operation: string; after: object }[] }>(
    'GET /api/audit?object=organization',
  )
  expect(items.slice(0, 2)).toMatchObject([
    { operation: 'cancelOrganizationDeletion', after: { state: 'active' } },
    { operation: 'deleteOrganization', after: { state: 'deleting' } },
  ])
})

test('PLT-38 PLT-39 super admin sees and cancels a scheduled deletion, which can’t be lifted like a suspension', async () => {
  const admin = `/api/admin${route.slice(4)}`
  expect((await request()).status).toBe(202)
  expect(await world.root.fetchJson(`GET ${admin}`)).toMatchObject({ state: 'deleting', deletesAt: expect.any(String) })
  const { items } = await world.root.fetchJson<{ items: { slug: string }[] }>(
    'GET /api/admin/organizations?state=deleting',
  )
  expect(items.map(({ slug }) => slug)).toEqual(['acme'])
  expect((await world.root.fetch(`DELETE ${admin}/suspension`)).status).toBe(404)
  await world.root.fetchJson(`DELETE ${admin}/deletion`, undefined, 204)
  expect((await world.ada.fetch('GET /api/posts')).status).toBe(200)
})

test('PLT-39 organization deletion can’t be canceled after it is final', async () => {
  expect((await request()).status).toBe(202)
  const { organizations } = world.ada.things
  const shift = (back: boolean) => world.database.sql`
    UPDATE identity.suspensions SET suspended_at = suspended_at + ${back ? '31 days' : '-31 days'}::interval,
      deletes_at = deletes_at + ${back ? '31 days' : '-31 days'}::interval
    WHERE organization_id = ${organizations} AND lifted_at IS NULL`
  await shift(false)
  expect(await codeOf(await cancel())).toEqual([409, 'deletion_final'])
  const suspension = `POST /api/admin${route.slice(4)}/suspension`
  expect(await codeOf(await world.root.fetch(suspension, { reason: 'Spam.' }))).toEqual([409, 'already_suspended'])
  await shift(true)
  expect((await cancel()).status).toBe(204)
})

test('PLT-38 owner can’t delete an organization that a super admin suspended', async () => {
  await world.root.fetchJson(`POST /api/admin${route.slice(4)}/suspension`, { reason: 'Spam.' }, 201)
  expect(await codeOf(await request())).toEqual(suspended)
  expect((await cancel()).status).toBe(404)
  await world.root.fetchJson(`DELETE /api/admin${route.slice(4)}/suspension`, undefined, 204)
})

test('PLT-38 PLT-39 super admin can suspend an organization that is being deleted', async () => {
  const admin = `/api/admin${route.slice(4)}`
  expect((await request()).status).toBe(202)
  await world.root.fetchJson(`POST ${admin}/suspension`, { reason: 'Spam.' }, 201)
  const [notice] = await world.letters(world.ada.email)
  expect(notice?.subject).toBe('Acme was suspended and its deletion is on hold')
  expect(await world.root.fetchJson(`GET ${admin}`)).toMatchObject({ state: 'suspended', deletesAt: null })
  expect((await world.root.fetch(`POST ${admin}/suspension`, { reason: 'Twice.' })).status).toBe(409)

  expect((await cancel()).status).toBe(404)
  expect(await codeOf(await request())).toEqual(suspended)
  expect(await codeOf(await world.ada.fetch('GET /api/posts'))).toEqual(suspended)
  const due = await world.database.sql`
    SELECT FROM identity.suspensions
    WHERE organization_id = ${world.ada.things.organizations} AND lifted_at IS NULL AND deletes_at IS NOT NULL`
  expect(due).toBeEmpty()

  await world.root.fetchJson(`DELETE ${admin}/suspension`, undefined, 204)
  const { requestedAt, deletesAt } = await world.ada.fetchJson<Deletion>(`GET ${route}/deletion`)
  expect(Date.parse(deletesAt) - Date.parse(requestedAt)).toBe(30 * 24 * 60 * 60 * 1000)
  expect((await cancel()).status).toBe(204)
  expect((await world.ada.fetch('GET /api/posts')).status).toBe(200)
})

test('PLT-38 super admins’ own organization can’t be deleted', async () => {
  const { items } = await world.root.fetchJson<{ items: { id: string; name: string }[] }>('GET /api/organizations')
  const own = await world.root.fetch(`DELETE /api/organizations/${items[0]?.id}`, { confirm: items[0]?.name, password })
  expect(await codeOf(own)).toEqual([409, 'own_organization'])
})

test('SOC-02 PLT-39 brand transfer from or to an organization that is being deleted is rejected', async () => {
  const { id } = await world.ada.fetchJson<{ id: string }>('POST /api/organizations', { name: 'Side' }, 201)
  const transfer = (brandId: string, targetOrganizationId: string) =>
    world.ada.fetch(`POST /api/brands/${brandId}/transfer-organization`, { targetOrganizationId })
  await world.database.sql`
    INSERT INTO identity.suspensions (id, organization_id, reason, suspended_at, deletes_at)
    VALUES (gen_random_uuid(), ${id}, 'Its deletion was requested.', now(), now() + interval '30 days')`
  expect(await codeOf(await transfer(world.ada.things.brands, id))).toEqual(suspended)
  expect((await request()).status).toBe(202)
  expect(await codeOf(await transfer(world.ada.things.brands, id))).toEqual(suspended)
  expect((await cancel()).status).toBe(204)
})

test('PLT-06 canceling a deletion returns the list to htmx, or redirects when the organization is the active one', async () => {
  const cancelFromPage = (by: World['stranger'], target = 'div#deletions') =>
    by.fetch(`DELETE ${route}/deletion`, undefined, { 'hx-request': 'true', 'hx-target': target })
  expect((await request()).status).toBe(202)
  const elsewhere = await world.ada.signIn()
  await elsewhere.fetchJson('POST /api/auth/context', { context: 'personal' })
  const list = await cancelFromPage(elsewhere)
  expect([list.status, list.headers.get('hx-redirect')]).toEqual([200, null])
  expect(await list.text()).toMatch(/^<div [^>]*id="deletions"(?!.*Acme)/s)
  expect((await request()).status).toBe(202)
  const organizations = await (await cancelFromPage(elsewhere, 'div#organization-list')).text()
  expect(organizations).toMatch(/^<div [^>]*id="organization-list".*Switch to Acme/s)
  expect((await request()).status).toBe(202)
  expect((await cancelFromPage(world.ada)).headers.get('hx-redirect')).toBe('/')
})
