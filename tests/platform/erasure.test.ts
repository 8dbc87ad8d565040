import { afterAll, beforeAll, expect, test } from 'bun:test'
import { erasureJob, remindOfDeletions } from '#identity'
import { sweepExports } from '#platform'
import { transact } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import { contexts } from '../../src/contexts.ts'
import { insertUsage } from '../../src/gateway/usage/insert.ts'
import { usageRow } from '../gateway/usage-row.ts'
import { openWorld, password, type World } from '../support/world.ts'

// Deleted data remains in no table: new tables are covered without being listed here.

let world: World

beforeAll(async () => {
  world = await openWorld({ apps: true })
})

afterAll(() => world.close())

const run = (name: keyof typeof contexts, provided = world.provided) =>
  contexts[name].erasureJob?.run({ ...provided, input: {}, database: world.database, now: () => new Date() })

/** Runs the hourly job and the report of each service. */
async function erase(): Promise<void> {
  await run('social')
  await run('payments')
  await run('dashboard')
  await run('gateway')
  await run('identity')
  await sweepExports.run({ ...world.provided, input: {}, database: world.database, now: () => new Date() })
}

/** Tables with their own retention, or a permanent one: see docs/operate.md. */
const kept = ['identity.erased_organizations', 'platform.audit_log', 'platform.mails', 'platform.rate_limits']

/** The tables that contain one of the texts. */
async function tablesWith(texts: readonly string[]): Promise<string[]> {
  const { sql } = world.database
  const tables = await sql<{ name: string }[]>`
    SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
    WHERE schemaname IN ('identity', 'dashboard', 'social', 'gateway', 'payments', 'platform') ORDER BY 1`
  const patterns = texts.map((text) => `%${text}%`)
  const found: string[] = []
  for (const { name } of tables) {
    const [row] = await sql.unsafe(`SELECT 1 FROM ${name} AS each WHERE each::text LIKE ANY ($1) LIMIT 1`, [patterns])
    if (row) found.push(name)
  }
  return found
}

/** Tables of tenants: their rows have an owner. */
const tenantTables = () => world.database.sql<{ name: string }[]>`
  SELECT DISTINCT format('%I.%I', table_schema, table_name) AS name FROM information_schema.columns
  WHERE table_schema IN ('identity', 'dashboard', 'social', 'gateway', 'payments') AND column_name IN ('organization_id', 'platform_org_id', 'brand_id')`

/** Tables of tenants in which the test world has no row of Acme's. */
const empty = [
  'dashboard.checkouts',
  'dashboard.notification_deliveries',
  'gateway.budget_alerts',
  'gateway.budget_holds',
  'gateway.model_allow_lists',
  'gateway.model_prices',
  'gateway.model_routes',
  'gateway.social_connections',
  'gateway.video_quota_shares',
  'identity.erased_organizations',
  'identity.magic_login_tokens',
  'identity.membership_resources',
  'identity.organization_erasures',
  'identity.organization_onboardings',
  'identity.organization_sign_ins',
  'identity.sign_in_challenges',
  'identity.workspace_revocations',
  'payments.account_charts',
  'payments.callback_secrets',
  'payments.closed_periods',
  'payments.closings',
  'payments.connected_searches',
  'payments.movement_accounts',
  'payments.open_movements',
  'payments.rejected_webhooks',
  'payments.subscription_changes',
  'payments.subscription_notices',
  'social.account_checks',
  'social.authorizations',
  'social.first_comments',
  'social.pauses',
  'social.post_checks',
  'social.post_corrections',
  'social.preparations',
  'social.publish_attempts',
]

async function due(organizationId: string): Promise<void> {
  const { sql } = world.database
  await sql`
    UPDATE identity.suspensions SET suspended_at = suspended_at - interval '31 days', deletes_at = deletes_at - interval '31 days'
    WHERE organization_id = ${organizationId} AND lifted_at IS NULL`
  await sql`UPDATE platform.exports SET expires_at = expires_at - interval '31 days'`
}

/** Moves the request to delete an account a month back. */
const dueAccount = (userId: string) => world.database.sql`
  UPDATE identity.account_deletions SET requested_at = requested_at - interval '31 days',
    deletes_at = deletes_at - interval '31 days' WHERE user_id = ${userId}`

/** Requests the deletion of a resident's organization, a month ago. */
async function deleteOrganization({ things, fetchJson }: World['ada'], confirm: string): Promise<void> {
  await fetchJson(`DELETE /api/organizations/${things.organizations}`, { confirm, password }, 202)
  await due(things.organizations)
}

async function keysOfFiles(): Promise<string[]> {
  const keys: string[] = []
  for await (const key of world.provided.storage.keys()) keys.push(key)
  return keys
}

/** Registers an app of Acme's; returns its registry id. */
async function publishApp(): Promise<string> {
  const { submittedApps } = world.ada.things
  await world.root.fetchJson(`POST /api/admin/apps/${submittedApps}/reviews`, { decision: 'approved' })
  await world.ada.fetchJson(`POST /api/developers/apps/${submittedApps}/publication`, {}, 201)
  const [row] = await world.database.sql<{ id: string }[]>`
    SELECT service_id AS id FROM identity.developer_apps WHERE id = ${submittedApps}`
  return row?.id ?? ''
}

const exists = async (organizationId: string) =>
  (await world.database.sql`SELECT FROM identity.organizations WHERE id = ${organizationId}`).length > 0

test('PLT-39 no data of an organization is erased before its deletion is final', async () => {
  const { things, fetchJson } = world.mallory
  await fetchJson(`DELETE /api/organizations/${things.organizations}`, { confirm: 'Umbrella', password }, 202)
  await erase()
  await fetchJson(`DELETE /api/organizations/${things.organizations}/deletion`, undefined, 204)
  expect((await fetchJson<{ items: unknown[] }>('GET /api/posts')).items.length).toBeGreaterThan(0)
})

test('PLT-39 identity waits until every service has erased its part, and resumes an interrupted erasure', async () => {
  const { brands, organizations } = world.mallory.things
  await deleteOrganization(world.mallory, 'Umbrella')
  await run('identity')
  expect(await exists(organizations)).toBe(true)
  expect((await tablesWith([brands])).length).toBeGreaterThan(3)
  const { storage } = world.provided
  let deleted = 0
  const failing = {
    ...storage,
    delete: async (key: string) => {
      if (++deleted === 3) throw new Error('The server was killed')
      await storage.delete(key)
    },
  }
  await expect(run('social', { ...world.provided, storage: failing })).rejects.toThrow('The server was killed')
  expect(deleted).toBeGreaterThanOrEqual(3)
  await run('identity')
  expect(await exists(organizations)).toBe(true)
  await erase()
  expect(await exists(organizations)).toBe(false)
  expect((await keysOfFiles()).filter((key) => key.includes(brands))).toEqual([])
  await erase()
})

test('PLT-39 organization is erased from every table and file; its audit log is kept without values', async () => {
  const { things } = world.ada
  const { organizations, brands, accounts, posts, media, keys, agents, invitations, apps, part } = things
  const ids = [organizations, brands, accounts, posts, media, keys, agents, invitations, apps, part]
  const app = await publishApp()
  // In several partitions.
  const days = [0, 1, 2].map((day) => new Date(Date.now() - day * 24 * 60 * 60 * 1000))
  const usage = days.map((occurredAt) => usageRow({ organizationId: organizations, occurredAt }))
  await transact(world.database.db, (tx) => insertUsage(tx, usage))
  await world.database.sql`
    INSERT INTO gateway.social_token_refreshes
      (id, account_id, organization_id, token_digest, sealed_response, next_digest, responded_at)
    VALUES (${newId()}, ${accounts}, ${organizations}, 'a digest', 'sealed', 'another digest', now())`
  await world.ada.fetchJson(`POST /api/posts/${posts}/reviews`, { decision: 'approve', comment: 'Good to go' }, 201)
  await deleteOrganization(world.ada, 'Acme')
  const before = await tablesWith(ids)
  const tenants = (await tenantTables()).map(({ name }) => name)
  expect(tenants.filter((name) => !before.includes(name)).toSorted()).toEqual(empty)
  expect((await keysOfFiles()).filter((key) => key.includes(brands)).length).toBeGreaterThan(0)
  await erase()
  expect((await tablesWith([...ids, app])).filter((name) => !kept.includes(name))).toEqual([])
  expect((await keysOfFiles()).filter((key) => key.includes(brands))).toEqual([])
  const [row] = await world.database.sql<{ rows: number }[]>`
    SELECT count(*)::int AS rows FROM platform.audit_log WHERE organization_id = ${organizations}`
  expect(row?.rows).toBeGreaterThan(3)
  const values = await world.database.sql`
    SELECT operation FROM platform.audit_log
    WHERE organization_id = ${organizations} AND (before IS NOT NULL OR after IS NOT NULL)`
  expect(values.map(({ operation }) => operation as string)).toEqual(['identity.erase-deleted'])
  const ada = await world.ada.signIn()
  expect(await ada.fetchJson('GET /api/auth/me')).toMatchObject({ organization: null, organizations: [] })
  expect((await world.key.fetch('GET /api/posts')).status).toBe(401)
  const subjects = (await world.letters(world.ada.email)).map(({ subject }) => subject)
  expect(subjects).toContain('Acme was deleted')
  const { items } = await world.root.fetchJson<{ items: object[] }>('GET /api/audit?operation=identity.erase-deleted')
  const object = { kind: 'organization', id: organizations, name: null }
  expect(items).toContainEqual(expect.objectContaining({ object, summary: 'Erased an organization' }))
})

test('PLT-39 row that is written between the report of a service and the erasure of the organization is erased in a second sweep', async () => {
  const { sql } = world.database
  const services = ['social', 'payments', 'dashboard', 'gateway'] as const
  const registration = { email: 'nils@example.com', password, name: 'Nils', createOrganization: true }
  const { organization, user, accessToken } = await world.stranger.fetchJson<{
    organization: { id: string }
    user: { id: string }
    accessToken: string
  }>('POST /register', { ...registration, organizationName: 'Late' }, 201)
  const { id } = organization
  const bearer = { authorization: `Bearer ${accessToken}` }
  const deleted = await world.stranger.fetch(`DELETE /api/organizations/${id}`, { confirm: 'Late', password }, bearer)
  expect(deleted.status).toBe(202)
  await due(id)
  for (const name of services) await run(name)
  await sql`
    INSERT INTO dashboard.layouts (id, organization_id, person_id, widgets, created_at, updated_at)
    VALUES (gen_random_uuid(), ${id}, ${user.id}, '[]', now(), now())`
  const rows = async () => (await sql`SELECT FROM dashboard.layouts WHERE organization_id = ${id}`).length
  await run('identity')
  expect(await exists(id)).toBe(false)
  await run('dashboard')
  // Requests of before may still run.
  expect(await rows()).toBe(1)
  await sql`UPDATE identity.erased_organizations SET erased_at = erased_at - interval '6 minutes' WHERE organization_id = ${id}`
  const toErase = (slug: string) => world.provided.identity.organizationsToErase(slug)
  expect(await toErase('platform-dashboard-api')).toContain(id)
  for (const name of services) await run(name)
  expect(await rows()).toBe(0)
  for (const slug of ['platform-socialize', 'platform-dashboard-api']) expect(await toErase(slug)).not.toContain(id)
})

test('PLT-39 account is erased with all of the person’s own data; objects they created no longer reference them', async () => {
  const email = 'mona@example.com'
  const { accessToken, user } = await world.stranger.fetchJson<{ accessToken: string; user: { id: string } }>(
    'POST /api/auth/login',
    { email, password },
  )
  const bearer = { authorization: `Bearer ${accessToken}` }
  const send = (route: string, body?: unknown) => world.stranger.fetch(route, body, bearer)
  expect((await send('PUT /api/app-switcher/preferences', { theme: 'dark' })).status).toBe(200)
  expect((await send('POST /api/households', { name: 'Home of Mona' })).status).toBe(201)
  await world.stranger.fetch('POST /api/auth/login', { email, password: 'a wrong password' })
  expect((await send('DELETE /api/auth/me', { confirm: email, password })).status).toBe(202)
  await erase()
  expect(await tablesWith([email])).toContain('identity.users')
  expect(await tablesWith(['Home of Mona'])).toContain('platform.audit_log')
  await dueAccount(user.id)
  await erase()
  expect(await tablesWith(['Home of Mona'])).toEqual([])
  expect((await tablesWith([email, 'Mona'])).filter((name) => !kept.includes(name))).toEqual([])
  expect((await tablesWith([user.id])).filter((name) => !kept.includes(name))).toEqual(['identity.users'])
  const people = await world.service.fetchJson<{ items: object[] }>(`GET /api/internal/users?ids=${user.id}`)
  expect(people.items).toEqual([{ id: user.id, name: 'Deleted account' }])
  expect((await world.letters(email))[0]?.subject).toBe('Your Atrium account was deleted')
  expect((await world.root.fetch(`GET /api/admin/users/${user.id}`)).status).toBe(404)
  const again = { email, password, name: 'Mona again' }
  expect((await world.stranger.fetch('POST /register', again)).status).toBe(201)
})

test('PLT-39 account is erased even if another account has an email address built from its ID', async () => {
  const email = 'edda@example.com'
  const { user, accessToken } = await world.stranger.fetchJson<{ user: { id: string }; accessToken: string }>(
    'POST /register',
    { email, password, name: 'Edda' },
    201,
  )
  const { sql } = world.database
  await sql`
    INSERT INTO identity.users (id, email, name, principal_type, created_at)
    VALUES (gen_random_uuid(), ${`${user.id}@deleted.invalid`}, 'Squatter', 'user', now())`
  const bearer = { authorization: `Bearer ${accessToken}` }
  await world.stranger.fetch('DELETE /api/auth/me', { confirm: email, password }, bearer)
  await dueAccount(user.id)
  await erase()
  expect(await tablesWith([email])).not.toContain('identity.users')
})

test('PLT-39 account is erased only after its organization, and its deletion can’t be canceled separately', async () => {
  const email = 'solo@example.com'
  const registration = { email, password, name: 'Solo', createOrganization: true, organizationName: 'Solo' }
  const solo = await world.stranger.fetchJson<{
    accessToken: string
    user: { id: string }
    organization: { id: string }
  }>('POST /register', registration, 201)
  const bearer = { authorization: `Bearer ${solo.accessToken}` }
  const organization = `/api/organizations/${solo.organization.id}`
  await world.stranger.fetch(`DELETE ${organization}`, { confirm: 'Solo', password }, bearer)
  await world.stranger.fetch('DELETE /api/auth/me', { confirm: email, password }, bearer)
  const undone = await world.root.fetch(`DELETE /api/admin${organization.slice(4)}/deletion`)
  expect(await undone.json()).toMatchObject({ status: 409, code: 'owners_being_deleted' })
  await due(solo.organization.id)
  await dueAccount(solo.user.id)
  await run('identity')
  expect(await exists(solo.organization.id)).toBe(true)
  expect(await tablesWith([email])).toContain('identity.users')
  await erase()
  expect(await exists(solo.organization.id)).toBe(false)
  expect((await tablesWith([email])).filter((name) => !kept.includes(name))).toEqual([])
})

test('PLT-39 erasure waits for external services that have ever had a key, even a revoked one, and for no others', async () => {
  const elsewhere = { ...world.provided, keepers: [{ slug: 'platform-socialize', here: false, last: false }] }
  const neverRan = await organizationBeingErased()
  await run('identity', elsewhere)
  expect(await exists(neverRan)).toBe(false)
  const gone = await organizationBeingErased()
  const [key] = await world.database.sql<{ id: string }[]>`
    INSERT INTO identity.service_keys (id, service_id, public_key, thumbprint, created_at)
    VALUES (gen_random_uuid(), ${world.serviceId}, '{}', 'of social elsewhere', now()) RETURNING id`
  await run('identity', elsewhere)
  expect(await exists(gone)).toBe(true)
  await world.database.sql`UPDATE identity.service_keys SET revoked_at = now() WHERE id = ${key?.id ?? ''}`
  await run('identity', elsewhere)
  expect(await exists(gone)).toBe(true)
  await erase()
  expect(await exists(gone)).toBe(false)
})

test('PLT-39 service gets its list of data to erase until it confirms; other callers can’t confirm', async () => {
  const id = await organizationBeingErased()
  const waiting = async () =>
    (await world.service.fetchJson<{ items: object[] }>('GET /api/internal/organization-erasures')).items
  const report = `PUT /api/internal/organization-erasures/${id}`
  expect(await waiting()).toContainEqual({ organizationId: id })
  for (const stranger of [world.root, world.nora]) expect((await stranger.fetch(report, {})).status).toBe(403)
  await world.service.fetchJson(report, {})
  await run('payments')
  await run('dashboard')
  await run('gateway')
  expect(await waiting()).not.toContainEqual({ organizationId: id })
  await run('identity')
  expect(await exists(id)).toBe(false)
  await world.service.fetchJson(report, {})
  const living = await world.nora.fetchJson<{ id: string }>('POST /api/organizations', { name: 'Living' }, 201)
  expect((await world.service.fetch(`PUT /api/internal/organization-erasures/${living.id}`, {})).status).toBe(404)
})

test('PLT-39 owners and people are reminded once, a week before their deletion is final', async () => {
  const { nora } = world
  const { id } = await nora.fetchJson<{ id: string }>('POST /api/organizations', { name: 'Short-lived' }, 201)
  await world.database.sql`
    INSERT INTO identity.suspensions (id, organization_id, reason, suspended_at, deletes_at)
    VALUES (gen_random_uuid(), ${id}, 'Its deletion was requested.', now(), now() + interval '8 days')`
  await world.database.sql`
    INSERT INTO identity.account_deletions (user_id, requested_at, deletes_at)
    VALUES (${nora.id}, now(), now() + interval '8 days')`
  const day = 24 * 60 * 60 * 1000
  const remind = (days: number) =>
    remindOfDeletions.run({
      ...world.provided,
      input: {},
      database: world.database,
      now: () => new Date(Date.now() + days * day),
    })
  const reminders = async () =>
    (await world.letters(nora.email))
      .map(({ subject }) => subject)
      .filter((subject) => subject.includes('will be deleted'))
  await remind(0)
  expect(await reminders()).toEqual([])
  await remind(2)
  await remind(3)
  expect((await reminders()).map((subject) => subject.split(' will ')[0] ?? '').toSorted()).toEqual([
    'Short-lived',
    'Your Atrium account',
  ])
})

/** An organization whose deletion is final. */
async function organizationBeingErased(): Promise<string> {
  const id = crypto.randomUUID()
  const { sql } = world.database
  await sql`INSERT INTO identity.organizations (id, slug, name, created_at) VALUES (${id}, ${id}, 'Gone', now())`
  await sql`
    INSERT INTO identity.suspensions (id, organization_id, reason, suspended_at, deletes_at)
    VALUES (gen_random_uuid(), ${id}, 'Its deletion was requested.', now() - interval '31 days', now() - interval '1 day')`
  return id
}

test('PLT-39 organization with more API keys than fit in one batch is erased, even if the last key replaced the first', async () => {
  const { sql } = world.database
  const id = await organizationBeingErased()
  await sql`
    INSERT INTO identity.api_keys (id, organization_id, service_id, name, mode, public_id, hash, last_four, created_by, created_at, rotated_from, made_by_key)
    SELECT md5(${id} || n)::uuid, ${id}, ${world.serviceId}, 'CI', 'live', 'gone' || to_char(n, 'FM00000000'), '', '', ${world.nora.id}, now(),
      CASE WHEN n = 2001 THEN md5(${id} || '1')::uuid END, CASE WHEN n = 2001 THEN md5(${id} || '2')::uuid END
    FROM generate_series(1, 2001) n`
  await erase()
  expect(await exists(id)).toBe(false)
})

test('PLT-39 IDN-40 services in one process each confirm erasures under their own name', async () => {
  const { identity } = world.provided
  const id = await organizationBeingErased()
  await identity.reportErased('platform-pay', id)
  expect(await identity.organizationsToErase('platform-pay')).not.toContain(id)
  expect(await identity.organizationsToErase('platform-socialize')).toContain(id)
  await run('identity')
  expect(await exists(id)).toBe(true)
  await erase()
  expect(await exists(id)).toBe(false)
})

test('PLT-39 long erasure of one organization does not delay the others', async () => {
  const ids = [await organizationBeingErased(), await organizationBeingErased()]
  const both = Promise.withResolvers<void>()
  const started: string[] = []
  const late = setTimeout(() => both.reject(new Error('The second erasure waits for the first')), 5_000)
  const slow = erasureJob({
    service: 'platform-socialize',
    name: 'test.erase',
    erase: (_, id) => {
      started.push(id)
      if (started.length === 2) both.resolve()
      return both.promise
    },
    eraseAccount: async () => {},
  })
  await slow.run({ ...world.provided, input: {}, database: world.database, now: () => new Date() })
  clearTimeout(late)
  expect(started.toSorted()).toEqual(ids.toSorted())
  await erase()
})

test('PLT-39 organizations whose erasure always fails do not block others from a batch', async () => {
  const { sql } = world.database
  await sql`
    WITH gone AS (
      INSERT INTO identity.organizations (id, slug, name, created_at)
      SELECT gen_random_uuid(), 'due-' || n, 'Scheduled for', now() FROM generate_series(1, 101) n RETURNING id)
    INSERT INTO identity.suspensions (id, organization_id, reason, suspended_at, deletes_at)
    SELECT gen_random_uuid(), id, 'Its deletion was requested.', now() - interval '31 days', now() - interval '1 day' FROM gone`
  const seen = new Set<string>()
  for (let at = 0; at < 20 && seen.size < 101; at++)
    for (const id of await world.provided.identity.organizationsToErase('platform-socialize')) seen.add(id)
  await sql`DELETE FROM identity.organizations WHERE slug LIKE 'due-%'`
  expect(seen.size).toBe(101)
})
