import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SQL } from 'drizzle-orm'
import { PgColumn } from 'drizzle-orm/pg-core'
import { tableName, type TenantData } from '#lib/tenant-data.ts'
import { contexts } from '../../src/contexts.ts'
import { fillTable } from '../support/fill-table.ts'
import { openWorld, password, type Person, type World } from '../support/world.ts'

// A deleted account leaves no row of its own in any context: new tables are covered as soon as they are declared.

let world: World

beforeAll(async () => {
  world = await openWorld()
})

afterAll(() => world.close())

const declared = Object.values(contexts).flatMap(({ data = [] }) => data)

/** Tables whose rows of a person are erased by their declaration. */
const erased = declared.filter(({ erasure }) => erasure.person === 'delete' || typeof erasure.person === 'function')

const run = (name: keyof typeof contexts, provided = world.provided) =>
  contexts[name].erasureJob?.run({ ...provided, input: {}, database: world.database, now: () => new Date() })

const services = ['social', 'payments', 'dashboard', 'gateway'] as const

async function deleteAccount(person: Person, since: 'now' | 'a month'): Promise<void> {
  await person.fetchJson('DELETE /api/auth/me', { confirm: person.email, password }, 202)
  if (since === 'a month')
    await world.database.sql`
      UPDATE identity.account_deletions SET requested_at = requested_at - interval '31 days',
        deletes_at = deletes_at - interval '31 days' WHERE user_id = ${person.id}`
}

const count = ({ table, rows }: TenantData, id: string): Promise<number> =>
  world.database.db.$count(table, rows.person?.(id))

/** The column of the table with the person’s id, unless the condition is about another table. */
function columnOf({ table, rows }: TenantData): PgColumn | null {
  const chunks = rows.person?.('').queryChunks ?? []
  const columns = chunks.filter((chunk) => chunk instanceof PgColumn)
  const isSimple = columns.length === 1 && chunks.every((chunk) => !(chunk instanceof SQL))
  return (isSimple && columns.find((column) => column.table === table)) || null
}

/** Rows that are of the person by their email address, of the rows of other tables, or in a list. */
const withoutColumn = [
  'dashboard.workflow_runs',
  'identity.household_invitations',
  'identity.invitations',
  'identity.registrations',
  'identity.super_admin_links',
]

/** What people did for their organization stays, with an ID that has no name, and in the log without values. */
const ofOrganizations = ['dashboard.workflows', 'platform.audit_log']

/** A row of the person in every table. */
async function fillAll(id: string): Promise<void> {
  for (const one of erased) {
    const column = columnOf(one)
    if (!column || (await count(one, id)) > 0) continue
    await fillTable(world.database.sql, one.table, { column, value: id })
  }
}

test('PLT-39 every row of a person in the tables of every context is erased with the account', async () => {
  const unknown = erased.filter((one) => columnOf(one) === null).map((one) => tableName(one))
  expect(unknown.toSorted()).toEqual(withoutColumn)
  const zoe = await world.join(world.ada, { name: 'Zoe', role: 'editor' })
  await deleteAccount(zoe, 'a month')
  await fillAll(zoe.id)
  const filled = erased.filter((one) => columnOf(one) !== null)
  for (const one of filled) expect(await count(one, zoe.id), tableName(one)).toBeGreaterThan(0)
  for (const name of services) await run(name)
  await run('identity')
  for (const one of filled.filter((each) => !ofOrganizations.includes(tableName(each))))
    expect(await count(one, zoe.id), tableName(one)).toBe(0)
  const values = await world.database.sql`
    SELECT FROM platform.audit_log WHERE principal_id = ${zoe.id} AND organization_id IS NULL
      AND (before IS NOT NULL OR after IS NOT NULL)`
  expect(values).toHaveLength(0)
})

test('PLT-39 nothing of a person is erased before the deletion of the account is final, and nothing of others ever', async () => {
  const yuri = await world.join(world.ada, { name: 'Yuri', role: 'editor' })
  await world.ada.fetchJson('PUT /api/dashboard/layout', { widgets: [] }, 200)
  await yuri.fetchJson('PUT /api/dashboard/layout', { widgets: [] }, 200)
  const layouts = () => world.database.sql<{ id: string }[]>`SELECT person_id AS id FROM dashboard.layouts`
  await deleteAccount(yuri, 'now')
  for (const name of services) await run(name)
  await run('identity')
  expect((await layouts()).map(({ id }) => id)).toContain(yuri.id)
})

test('PLT-39 account is erased only after every service has erased its part, also in other processes, and a failure is repeated', async () => {
  const xena = await world.join(world.ada, { name: 'Xena', role: 'editor' })
  await deleteAccount(xena, 'a month')
  const isErased = async () =>
    (await world.database.sql`SELECT FROM identity.users WHERE id = ${xena.id} AND erased_at IS NOT NULL`).length > 0
  const { identity } = world.provided
  const lost = {
    ...world.provided,
    identity: {
      ...identity,
      reportAccountErased: () => Promise.reject(new Error('The network is down')),
    },
  }
  expect(await identity.accountsToErase('platform-pay')).toContain(xena.id)
  await expect(Promise.resolve(run('payments', lost))).rejects.toThrow('The network is down')
  for (const name of services.filter((each) => each !== 'payments')) await run(name)
  await run('identity')
  expect(await isErased()).toBe(false)
  expect(await identity.accountsToErase('platform-dashboard-api')).not.toContain(xena.id)
  // Another process reports with its own credential.
  for (const stranger of [world.root, world.ada])
    expect((await stranger.fetch(`PUT /api/internal/account-erasures/${xena.id}`, {})).status).toBe(403)
  await world.services['platform-pay']?.fetchJson(`PUT /api/internal/account-erasures/${xena.id}`, {})
  await run('identity')
  expect(await isErased()).toBe(true)
  await world.services['platform-pay']?.fetchJson(`PUT /api/internal/account-erasures/${xena.id}`, {})
  const living = await world.services['platform-pay']?.fetch(`PUT /api/internal/account-erasures/${world.vera.id}`, {})
  expect(living?.status).toBe(404)
})

test('PLT-39 row that is written between the report of a service and the erasure of the account is erased in a second sweep', async () => {
  const { sql } = world.database
  const uma = await world.join(world.ada, { name: 'Uma', role: 'editor' })
  await deleteAccount(uma, 'a month')
  for (const name of services) await run(name)
  const layouts = declared.find((one) => tableName(one) === 'dashboard.layouts')
  const column = layouts && columnOf(layouts)
  if (!layouts || !column) throw new Error('Layouts are of a person')
  const rows = () => count(layouts, uma.id)
  await fillTable(sql, layouts.table, { column, value: uma.id })
  await run('identity')
  await run('dashboard')
  // Requests of before may still run.
  expect(await rows()).toBe(1)
  await sql`UPDATE identity.users SET erased_at = erased_at - interval '6 minutes' WHERE id = ${uma.id}`
  for (const name of services) await run(name)
  expect(await rows()).toBe(0)
  for (const slug of ['platform-socialize', 'platform-dashboard-api'])
    expect(await world.provided.identity.accountsToErase(slug)).not.toContain(uma.id)
})

interface Posted {
  id: string
}

interface Notification {
  assignee: object | null
}

test('PLT-39 DSH-20 actions of a deleted account are unassigned, and workflows no longer notify it', async () => {
  const wanda = await world.join(world.ada, { name: 'Wanda', role: 'admin' })
  const post = { cause: 'erasure', title: 'Look at the roof', reason: 'It leaks.', href: '/actions' }
  const { id } = await world.ada.fetchJson<Posted>('POST /api/notifications', post, 201)
  await world.ada.fetchJson(`POST /api/notifications/${id}/assign`, { personId: wanda.id }, 204)
  const words = { title: 'Good morning', reason: 'It is Monday.', href: '/actions' }
  const draft = {
    name: 'Mondays',
    trigger: { type: 'schedule', cron: '0 9 * * 1', timeZone: 'Europe/Berlin' },
    steps: [
      { type: 'action', ...words },
      { type: 'notify', ...words, people: [wanda.id, world.ada.id] },
    ],
  }
  const workflow = await world.ada.fetchJson<Posted>('POST /api/workflows', draft, 201)
  await world.ada.fetchJson(`POST /api/workflows/${workflow.id}/run`, {}, 201)
  await deleteAccount(wanda, 'a month')
  for (const name of services) await run(name)
  await run('identity')
  expect(await world.ada.fetchJson<Notification>(`GET /api/notifications/${id}`)).toMatchObject({ assignee: null })
  expect(await world.ada.fetchJson(`GET /api/workflows/${workflow.id}`)).toMatchObject({
    steps: [{ type: 'action' }, { type: 'notify', people: [world.ada.id] }],
  })
  const runs = await world.database.sql`SELECT FROM dashboard.workflow_runs WHERE steps::text LIKE ${`%${wanda.id}%`}`
  expect(runs).toHaveLength(0)
})
