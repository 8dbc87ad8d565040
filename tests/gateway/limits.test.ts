import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { eventually } from '../boot/program.ts'
import { resolveEndedAlerts } from '../../src/gateway/budgets/jobs.ts'
import { limits } from '../../src/gateway/schema.ts'
import { alertPlatform } from '../../src/gateway/budgets/platform-alerts.ts'
import { dot, openWorld, type Caller, type World } from '../support/world.ts'
import { openActions, press } from '../dashboard/raised/acting.ts'
import { holdOf, openReplica, requestOf, rowOf, type Replica } from './books.ts'

let world: World
let other: Replica
let organizationId: string

beforeAll(async () => {
  world = await openWorld()
  other = await openReplica(world.provided.config.DATABASE_URL ?? '')
  organizationId = world.ada.things.organizations
})
afterAll(async () => {
  await other.close()
  await world.close()
})
beforeEach(async () => {
  const { sql } = world.database
  // Retried after a deadlock with a server that returns its leases.
  await world.database.transaction((tx) => tx.delete(limits))
  await sql`UPDATE gateway.limits_version SET version = version + 1`
  await sql`DELETE FROM platform.raised_actions`
})

interface Created {
  id: string
  organizationId: string | null
}

const amounts = { period: 'total', limitNanoUsd: 10_000, mode: 'hard' }
const create = (fields: object = {}, caller: Caller = world.ada) =>
  caller.fetchJson<Created>(
    'POST /api/limits',
    { scope_type: 'organization', scope_value: organizationId, ...amounts, ...fields },
    201,
  )

const request = (nanoUsd: bigint, applicationId: string | null = null) =>
  requestOf({ organizationId, applicationId, maxNanoUsd: nanoUsd, minNanoUsd: nanoUsd })

/** Whether the other server would hold it. */
async function fits(nanoUsd: bigint, applicationId: string | null = null): Promise<boolean> {
  const result = await other.book.hold(request(nanoUsd, applicationId))
  if (result.held) await other.book.settle(result.hold, [])
  return result.held
}

async function spend(nanoUsd: bigint): Promise<void> {
  const hold = await holdOf(other.book, request(nanoUsd))
  await other.book.settle(hold, [rowOf(hold, nanoUsd)])
}

interface BudgetJson {
  id: string
  limitNanoUsd: number
  spentNanoUsd: number
  reservedNanoUsd: number
  resetsAt: string | null
  forecastNanoUsd: number
}

const budgets = async (caller: Caller = world.ada) =>
  (await caller.fetchJson<{ items: BudgetJson[] }>('GET /api/budgets')).items

test('GTW-33 a new limit counts what its period has already spent, and what running requests hold', async () => {
  const applicationId = `app-${newId()}`
  const spent = await holdOf(other.book, request(3_000n, applicationId))
  await other.book.settle(spent, [rowOf(spent, 3_000n)])
  const running = await holdOf(other.book, request(4_000n, applicationId))
  await create({ scope_type: 'application', scope_value: applicationId, period: 'month' })
  expect(await budgets()).toMatchObject([{ spentNanoUsd: 3_000, reservedNanoUsd: 4_000 }])
  expect(await fits(3_001n, applicationId)).toBe(false)
  await other.book.settle(running, [rowOf(running, 1_000n)])
  expect(await budgets()).toMatchObject([{ spentNanoUsd: 4_000, reservedNanoUsd: 0 }])
  // A refusal is repeated without a query for 100 ms.
  expect(await eventually(() => fits(6_000n, applicationId))).toBe(true)
})

test('GTW-33 a lowered limit is in effect on every server when its update returns', async () => {
  await spend(1_000n)
  const { id } = await create({ limitNanoUsd: 1_000_000_000 })
  await spend(2_000n)
  const [before] = await budgets()
  await world.ada.fetchJson(`PATCH /api/limits/${id}`, { limitNanoUsd: (before?.spentNanoUsd ?? 0) + 500 })
  expect(await fits(501n)).toBe(false)
  expect(await fits(500n)).toBe(true)
})

test('GTW-33 a raised or deleted limit refuses nothing anymore when its change returns', async () => {
  const { id } = await create({ period: 'hour', family: 'ai', limitNanoUsd: 0 })
  expect(await fits(900n)).toBe(false)
  await world.ada.fetchJson(`PATCH /api/limits/${id}`, { limitNanoUsd: 1_000_000_000 })
  expect(await fits(900n)).toBe(true)
  await world.ada.fetchJson(`PATCH /api/limits/${id}`, { limitNanoUsd: 0 })
  expect(await fits(900n)).toBe(false)
  await world.ada.fetchJson(`DELETE /api/limits/${id}`, {}, 204)
  expect(await fits(900n)).toBe(true)
})

test('GTW-33 a limit that becomes hard, or changes its time zone, counts running requests', async () => {
  const { id } = await create({ period: 'day', mode: 'observe', limitNanoUsd: 1_000_000_000 })
  const [now] = await budgets()
  const used = now?.spentNanoUsd ?? 0
  const running = await holdOf(other.book, request(7_000n))
  await world.ada.fetchJson(`PATCH /api/limits/${id}`, {
    mode: 'hard',
    limitNanoUsd: used + 10_000 + (now?.reservedNanoUsd ?? 0),
  })
  const [hard] = await budgets()
  expect(hard?.reservedNanoUsd).toBeGreaterThanOrEqual(7_000)
  await world.ada.fetchJson(`PATCH /api/limits/${id}`, { timeZone: 'Pacific/Kiritimati' })
  const [moved] = await budgets()
  expect(moved?.resetsAt).not.toBe(hard?.resetsAt ?? '')
  await other.book.settle(running, [])
})

test('GTW-34 an organization can’t limit the platform, other organizations or applications of others', async () => {
  const draft = { ...amounts, scope_type: 'platform', scope_value: 'platform' }
  const theirs = { ...amounts, scope_type: 'organization', scope_value: world.mallory.things.organizations }
  const everywhere = { ...amounts, scope_type: 'application', scope_value: 'mail', everyOrganization: true }
  expect((await world.ada.fetch('POST /api/limits', draft)).status).toBe(403)
  expect((await world.ada.fetch('POST /api/limits', theirs)).status).toBe(404)
  expect((await world.ada.fetch('POST /api/limits', everywhere)).status).toBe(403)
  for (const body of [draft, theirs, everywhere]) expect((await create(body, world.root)).organizationId).toBeNull()
})

test('GTW-34 an organization sees the limits that the platform set for it, and can’t change them', async () => {
  const { id } = await create({}, world.root)
  await create({ scope_type: 'platform', scope_value: 'platform' }, world.root)
  expect((await budgets()).map((budget) => budget.id)).toEqual([id])
  expect(await budgets(world.mallory)).toEqual([])
  expect((await budgets(world.root)).length).toBe(2)
  expect((await world.ada.fetch(`PATCH /api/limits/${id}`, { limitNanoUsd: 1 })).status).toBe(404)
  expect((await world.ada.fetch(`DELETE /api/limits/${id}`, {})).status).toBe(404)
  expect((await world.vera.fetch('POST /api/limits', {})).status).toBe(403)
})

test('GTW-33 a limit is refused with the field that is wrong, and a second one of a scope with 409', async () => {
  const scope = { scope_type: 'organization', scope_value: organizationId }
  const refused: [object, string][] = [
    [{ ...scope, ...amounts, limitNanoUsd: -1 }, 'limitNanoUsd'],
    [{ ...scope, ...amounts, limitNanoUsd: 1.5 }, 'limitNanoUsd'],
    [{ ...scope, ...amounts, period: 'year' }, 'period'],
    [{ ...scope, ...amounts, budget: 5 }, 'budget'],
    [{ ...scope, ...amounts, timeZone: 'Mars/Phobos' }, 'timeZone'],
    [{ ...scope, ...amounts, scope_value: 'mail' }, 'scope_value'],
    [{ ...amounts, scope_type: 'platform', scope_value: 'mail' }, 'scope_value'],
  ]
  for (const [body, path] of refused)
    expect(await world.ada.fetchJson<object>('POST /api/limits', body, 422)).toMatchObject({ errors: [{ path }] })
  await create()
  expect(await world.ada.fetchJson<object>('POST /api/limits', { ...scope, ...amounts }, 409)).toMatchObject({
    code: 'limit_exists',
  })
})

test('GTW-37 reporters can ask whether a request fits, and get the refusal with its reasons', async () => {
  const { id } = await create({ period: 'week', limitNanoUsd: 900_000, family: 'email' })
  const ask = { family: 'email', provider: 'smtp', costNanoUsd: 800_000 }
  expect(await world.ada.fetchJson<object>('POST /platform/usage/preflight', ask)).toMatchObject({
    allowed: true,
    estimateNanoUsd: 800_000,
    limits: [{ id, remainingNanoUsd: 900_000 }],
  })
  const refused = await world.ada.fetch('POST /platform/usage/preflight', { ...ask, costNanoUsd: 900_001 })
  expect(refused.headers.get('x-should-retry')).toBe('false')
  expect(refused.status).toBe(402)
  expect(await refused.json()).toMatchObject({
    title: 'Budget exceeded',
    code: 'budget_exceeded',
    limitId: id,
    scope: { scope_type: 'organization', scope_value: organizationId },
    limitNanoUsd: 900_000,
    spentNanoUsd: 0,
    reservedNanoUsd: 0,
    resetsAt: expect.any(String),
    error: { type: 'insufficient_quota', code: 'budget_exceeded', param: null, message: expect.any(String) },
  })
})

test('GTW-35 GTW-38 warnings at 50 and 80 % and the end are each raised once in a period', async () => {
  const { id } = await create({ family: 'email', limitNanoUsd: 1_000_000 })
  const report = async (nanoUsd: number) =>
    world.provided.ledger.commit(
      [rowOf({ request: { ...request(1n), family: 'email' }, heldAt: new Date() }, BigInt(nanoUsd))],
      { durable: true },
    )
  const { sql } = world.database
  const raised = async () =>
    (
      await sql`SELECT title, version FROM platform.raised_actions WHERE cause = ${`gateway.limit:${id}`} AND resolved_at IS NULL`
    ).map((row) => ({ ...row }))
  await report(490_000)
  expect(await raised()).toEqual([])
  await report(10_000)
  await report(10_000)
  expect(await raised()).toEqual([{ title: '50 % used: total email budget of the organization', version: 1 }])
  await report(300_000)
  expect(await raised()).toEqual([{ title: '80 % used: total email budget of the organization', version: 2 }])
  await report(300_000)
  await report(300_000)
  expect(await raised()).toEqual([{ title: 'Used up: total email budget of the organization', version: 3 }])
  const [action] = await openActions(world, `gateway.limit:${id}`)
  expect(action?.kind).toBe('gateway.budget')
  expect(action?.actions[0]?.fields?.[0]?.value).toBe('0.001')
  expect((await press(world.ada, action, 'Raise the limit', { limitUsd: '0.01' })).status).toBe(200)
  expect(await world.ada.fetchJson(`GET /api/limits/${id}`)).toMatchObject({ limitNanoUsd: 10_000_000 })
  expect(await raised()).toEqual([])
})

test('GTW-38 DSH-20 action of a budget names AI as people write it, and amounts in cents', async () => {
  const { id } = await create({ family: 'ai', limitNanoUsd: 600_000_000 })
  const row = rowOf({ request: { ...request(1n), family: 'ai' }, heldAt: new Date() }, 571_928_911n)
  await world.provided.ledger.commit([row], { durable: true })
  const [action] = await world.database.sql`
    SELECT title, reason FROM platform.raised_actions WHERE cause = ${`gateway.limit:${id}`} AND resolved_at IS NULL`
  expect(action?.title).toBe('80 % used: total AI budget of the organization')
  expect(action?.reason).toBe('$0.57 of $0.60 is spent.')
})

test('GTW-38 a limit of the platform warns the super admins, and the organization that it is for', async () => {
  const { sql } = world.database
  const ofPlatform = { scope_type: 'platform', scope_value: undefined, family: 'requests', limitNanoUsd: 1_000 }
  const ofAda = { family: 'infrastructure', period: 'day', limitNanoUsd: 1_000 }
  // As a super admin sets it for another organization: it isn't Ada's own.
  const ids = [await create(ofPlatform, world.root), await create(ofAda, world.root)].map(({ id }) => id)
  for (const family of ['requests', 'infrastructure'] as const) {
    const row = rowOf({ request: { ...request(1n), family }, heldAt: new Date() }, 1_000n)
    await world.provided.ledger.commit([row], { durable: true })
  }
  const jobs = await sql`SELECT data FROM pgboss.job WHERE name = ${alertPlatform.name} ORDER BY id`
  expect(new Set(jobs.map(({ data }) => Object(data).limitId))).toEqual(new Set(ids))
  for (const { data } of jobs)
    await alertPlatform.run({
      ...world.provided,
      database: world.database,
      now: () => new Date(),
      input: alertPlatform.input.parse(data),
    })
  const raised = await sql`
    SELECT slug = 'admin' AS admins, title FROM platform.raised_actions
    JOIN identity.organizations ON organizations.id = organization_id WHERE resolved_at IS NULL ORDER BY 1, 2`
  expect(raised.map(({ admins, title }) => [admins, title])).toEqual([
    [false, 'Used up: daily infrastructure budget of the organization'],
    [true, 'Used up: daily infrastructure budget of the organization'],
    [true, 'Used up: total requests budget of the platform'],
  ])
})

const openAlerts = async () =>
  (await world.database.sql`SELECT title FROM platform.raised_actions WHERE resolved_at IS NULL`).map(
    ({ title }) => title as string,
  )

test('GTW-38 the warning of a budget is resolved when the budget resets', async () => {
  const { id } = await create({ period: 'hour', family: 'email', limitNanoUsd: 1_000 })
  const row = rowOf({ request: { ...request(1n), family: 'email' }, heldAt: new Date() }, 900n)
  await world.provided.ledger.commit([row], { durable: true })
  const { db } = world.database
  await resolveEndedAlerts(db, new Date())
  expect(await openAlerts()).toHaveLength(1)
  const [budget] = await budgets()
  expect(budget?.id).toBe(id)
  await resolveEndedAlerts(db, new Date(budget?.resetsAt ?? ''))
  expect(await openAlerts()).toEqual([])
})

test('GTW-38 a refusal ends a budget only when little is left of it', async () => {
  await create({ family: 'translation', limitNanoUsd: 1_000 })
  const ask = (nanoUsd: bigint) => world.provided.budgets.hold({ ...request(nanoUsd), family: 'translation' })
  expect((await ask(2_000n)).held).toBe(false)
  expect(await openAlerts()).toEqual([])
  const result = await ask(950n)
  if (!result.held) throw new Error('Refused')
  await world.provided.budgets.settle(result.hold, [rowOf(result.hold, 950n)])
  expect((await ask(100n)).held).toBe(false)
  expect(await eventually(async () => (await openAlerts()).some((title) => title.startsWith('Used up')))).toBe(true)
})

test('GTW-37 reported usage that exceeds a limit takes back what servers have leased', async () => {
  const { id } = await create({ family: 'video_quota', limitNanoUsd: 10_000_000 })
  const video = { ...request(100n), family: 'video_quota' } as const
  const hold = await holdOf(other.book, video)
  await other.book.settle(hold, [])
  const leased = async () => {
    const [row] = await world.database
      .sql`SELECT leased_nano_usd::int AS leased FROM gateway.budget_periods WHERE limit_id = ${id}`
    return row?.['leased'] as number
  }
  expect(await leased()).toBeGreaterThan(0)
  await world.provided.ledger.commit([rowOf({ request: video, heldAt: new Date() }, 10_000_000n)], { durable: true })
  expect(await eventually(async () => (await leased()) === 0)).toBe(true)
  expect((await other.book.hold(video)).held).toBe(false)
})

test('GTW-33 no route of a model skips the budget (Bifrost 2873)', async () => {
  await create({ limitNanoUsd: 0 })
  const paths = Object.values(world.contexts.find(({ slug }) => slug === 'platform-gateway')?.operations ?? {})
    .map(({ route }) => route)
    .filter((route) => route.startsWith('POST /api/ai/') && !route.endsWith('/count_tokens'))
  expect(paths.length).toBeGreaterThan(0)
  const skipped: string[] = []
  for (const route of paths) {
    const response = await world.ada.fetch(route, bodyFor(route))
    if (response.status !== 402) skipped.push(`${route}: ${response.status} ${await response.text()}`)
  }
  expect(skipped).toEqual([])
})

function bodyFor(route: string): object {
  const messages = [{ role: 'user', content: 'Hello' }]
  if (route.endsWith('/embeddings')) return { model: 'practice-embedding', input: 'Hello' }
  if (route.endsWith('/responses')) return { model: 'practice-small', input: 'Hello' }
  if (route.endsWith('/images/generations')) return { model: 'practice-image', prompt: 'A dot' }
  const file = new File([Buffer.from(dot, 'base64')], 'dot.png', { type: 'image/png' })
  if (route.endsWith('/images/edits')) return formOf({ model: 'practice-image', prompt: 'A dot', image: file })
  if (route.endsWith('transcriptions')) return formOf({ model: 'practice-audio', file: silence })
  return { model: 'practice-small', messages, max_tokens: 20 }
}

function formOf(fields: Record<string, string | File>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}

const silence = new File([new Uint8Array(4_000)], 'silence.mp3', { type: 'audio/mpeg' })

test('GTW-38 a dry run tells what a limit would have done with the usage so far', async () => {
  const applicationId = `app-${newId()}`
  for (const nanoUsd of [3_000n, 4_000n]) {
    const hold = await holdOf(other.book, request(nanoUsd, applicationId))
    await other.book.settle(hold, [rowOf(hold, nanoUsd)])
  }
  const tried = (limitUsd: string) =>
    world.ada.fetchJson(
      `GET /api/limits/dry-run?scope_type=application&scope_value=${applicationId}&period=month&limitUsd=${limitUsd}`,
    )
  expect(await tried('0.000005')).toMatchObject({
    limitNanoUsd: 5e3,
    spentNanoUsd: 7e3,
    largestNanoUsd: 7e3,
    periods: 1,
    exceeded: 1,
    refusedNanoUsd: 2e3,
    refusedCalls: 1,
    runsOutAt: expect.any(String),
  })
  expect(await tried('1000')).toMatchObject({ exceeded: 0, refusedCalls: 0, runsOutAt: null })
  expect(
    await world.mallory.fetchJson(`GET /api/limits/dry-run?scope_type=organization&period=month&limitUsd=1`),
  ).toMatchObject({ spentNanoUsd: 0 })
})

test('GTW-34 the page of budgets offers changes to those who can make them, and nothing of other tenants', async () => {
  await create({ limitNanoUsd: 0 })
  const show = async (caller: Caller) =>
    (await caller.fetch('GET /gateway/limits', undefined, { accept: 'text/html' })).text()
  const [ada, vera, mallory] = [await show(world.ada), await show(world.vera), await show(world.mallory)]
  for (const page of [ada, vera]) expect(page).toContain('The total budget of the organization is used up')
  expect(ada).toContain('New budget')
  expect(ada).toContain('Raise limit')
  expect(vera).not.toContain('New budget')
  expect(vera).not.toContain('Raise limit')
  expect(mallory).toContain('No budgets yet')
})

test('GTW-34 an amount can be typed in dollars, and a wrong one is refused with its field', async () => {
  const { limitNanoUsd: _, ...fields } = amounts
  const draft = { scope_type: 'organization', ...fields }
  expect(await world.ada.fetchJson('POST /api/limits', { ...draft, limitUsd: '0.50' }, 201)).toMatchObject({
    limitNanoUsd: 5e8,
    scope_value: organizationId,
    can: { update: true },
  })
  for (const [body, path] of [
    [{ ...draft, limitUsd: '1,50' }, 'limitUsd'],
    [draft, 'limitNanoUsd'],
  ] as const) {
    const refused = await world.ada.fetch('POST /api/limits', body)
    expect(await refused.json()).toMatchObject({ status: 422, errors: [{ path }] })
  }
})

test('GTW-33 people see what a budget has left, when it resets and who can raise it', async () => {
  const applicationId = `app-${newId()}`
  const limit = { scope_type: 'application', scope_value: applicationId, period: 'month', limitNanoUsd: 1_000_000_000 }
  await create({ ...limit, mode: 'hard' })
  const { cookie } = await world.ada.signIn()
  const body = { applicationId, family: 'email', provider: 'smtp', costNanoUsd: 2_000_000_000 }
  const asPerson: Record<string, string>[] = [{ accept: 'text/html' }, { 'hx-request': 'true' }]
  for (const headers of asPerson) {
    const sent = { ...headers, cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
    const response = await world.stranger.fetch('POST /platform/usage/preflight', body, sent)
    expect(response.status).toBe(402)
    const text = (await response.text()).replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
    for (const fact of [`budget of ${applicationId}`, 'It can cost $2.00, and $1.00 is left.', '$0.00 of $1.00'])
      expect(text).toContain(fact)
    expect(text).toMatch(/Resets \w+ 1 \w+ 00:00 UTC/)
    expect(text).toContain('Owners and admins of your organization')
  }
})

test('GTW-35 forecast of a budget expects what its weekdays cost in the weeks before', async () => {
  const applicationId = `app-${newId()}`
  await world.database.sql`
    INSERT INTO gateway.usage_daily (organization_id, day, application_id, family, provider, unit, count, quantity, cost_nano_usd)
    SELECT ${organizationId}, day::date, ${applicationId}, 'ai', 'openai', 'token', 1, 1, 1000000000
    FROM generate_series(now() - interval '70 days', date_trunc('week', now()) - interval '1 day', interval '1 day') AS day`
  // A week that doesn't end now: at its end there is nothing left to expect.
  const isEndOfWeek = new Date().getUTCDay() === 0 && new Date().getUTCHours() >= 12
  const timeZone = isEndOfWeek ? 'Etc/GMT+12' : 'UTC'
  const { id } = await create({ scope_type: 'application', scope_value: applicationId, period: 'week', timeZone })
  const budget = (await budgets()).find((one) => one.id === id)
  expect(budget?.spentNanoUsd).toBe(0)
  expect(budget?.forecastNanoUsd).toBeGreaterThan(0)
  expect(budget?.forecastNanoUsd).toBeLessThanOrEqual(8_000_000_000)
})

test('GTW-35 alerts and changes of budgets are listed with who changed what', async () => {
  interface Revision {
    kind: string
    byName: string
    limit: { id: string; scope_value: string }
    before: object | null
    after: object | null
  }
  interface Alert {
    percent: number
    limit: { id: string }
  }
  const applicationId = `app-${newId()}`
  const { id } = await create({ scope_type: 'application', scope_value: applicationId })
  for (const amount of [6_000n, 3_000n])
    await world.provided.ledger.commit(
      [rowOf({ request: request(amount, applicationId), heldAt: new Date() }, amount)],
      { durable: true },
    )
  const listAlerts = async () => (await world.ada.fetchJson<{ items: Alert[] }>('GET /api/limits/alerts')).items
  expect((await listAlerts()).map(({ percent, limit }) => [percent, limit.id])).toEqual([
    [80, id],
    [50, id],
  ])
  await world.ada.fetchJson(`PATCH /api/limits/${id}`, { limitNanoUsd: 30_000, mode: 'soft' })
  await world.ada.fetchJson(`DELETE /api/limits/${id}`, undefined, 204)
  const { items } = await world.ada.fetchJson<{ items: Revision[] }>('GET /api/limits/changes?limit=3')
  expect(items.map(({ kind, byName, limit, before, after }) => [kind, byName, limit.id, before, after])).toEqual([
    ['deleted', 'Ada', id, expect.objectContaining({ limitNanoUsd: 30_000 }), null],
    ['updated', 'Ada', id, { limitNanoUsd: 10_000, mode: 'hard' }, { limitNanoUsd: 30_000, mode: 'soft' }],
    ['created', 'Ada', id, null, expect.objectContaining({ limitNanoUsd: 10_000, mode: 'hard' })],
  ])
  const page = await (await world.ada.fetch('GET /gateway/limits', undefined, { accept: 'text/html' })).text()
  expect(page).toContain(`Ada raised the total budget of ${applicationId}`)
  for (const path of ['alerts', 'changes'])
    expect(await (await world.mallory.fetch(`GET /api/limits/${path}`)).text()).not.toContain(id)
})

test('GTW-33 change of a limit waits for other servers without an open transaction', async () => {
  const { sql } = world.database
  const slow = newId()
  await sql`INSERT INTO gateway.gateway_servers (id, last_seen_at, journals_first) VALUES (${slow}, now() + interval '1 minute', false)`
  let isDone = false
  const created = create().finally(() => (isDone = true))
  const isWaiting = async () => {
    const [row] = await sql`SELECT journal_first_until > now() AS "isWaiting" FROM gateway.limits_version WHERE id = 1`
    return row?.['isWaiting'] === true
  }
  expect(await eventually(isWaiting)).toBe(true)
  const isFree = async () => {
    const rows = await sql`
      SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND state = 'idle in transaction'`
    return rows.length === 0
  }
  expect([await eventually(isFree), isDone]).toEqual([true, false])
  await sql`UPDATE gateway.gateway_servers SET journals_first = true WHERE id = ${slow}`
  await created
  await sql`DELETE FROM gateway.gateway_servers WHERE id = ${slow}`
  await world.database.transaction(async (tx) => {
    expect(await world.provided.budgets.prepareChange().catch(String)).toContain('transaction was open')
    await tx.execute('SELECT 1')
  })
})
