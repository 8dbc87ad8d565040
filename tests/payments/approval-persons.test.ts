import { openActions, press } from '../dashboard/raised/acting.ts'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { bearer, openWorld, type Person, type World } from '../support/world.ts'
import { callerOf } from '../support/world/callers.ts'
import { refundsOf } from './refunding.ts'
import { shopOf, type Shop } from './shop.ts'

/** Ada owns the organization, Ben is an admin. Each could approve what the other requested. */
let world: World
let shop: Shop
let ben: Person

const ceiling = 1_000
const keyScopes = ['transactions.refund', 'payments.read']

beforeAll(async () => {
  world = await openWorld()
  shop = shopOf(world.ada, world.stranger)
  ben = await world.join(world.ada, { name: 'Ben', role: 'admin' })
})
afterAll(() => world.close())

const setCeilings = (person: Person, change: object) =>
  person.fetchJson<{ raised: object[] }>('PUT /api/pay/settings', change)

async function beginWith(EUR = ceiling): Promise<void> {
  await world.database.sql`DELETE FROM payments.settings`
  await setCeilings(world.ada, { refundCeilings: { EUR } })
}

/** Paid with €24.00. */
const sell = () => shop.sell({ currency: 'EUR', lines: [{ name: 'Beans', quantity: 2, unitAmount: 1_200 }] })

test('PAY-34 SEC admin can’t approve a refund that an agent requested with a key of this admin', async () => {
  await beginWith()
  const agents = `/api/organizations/${world.ada.things.organizations}/agents`
  const agent = await ben.fetchJson<{ id: string }>(`POST ${agents}`, { name: 'Refunder', role: 'admin' }, 201)
  const key = await ben.createKey({
    service: 'platform-pay',
    scopes: keyScopes,
    agentId: agent.id,
  })
  const order = await sell()
  const refund = await refundsOf(world, key).create({ orderId: order.id })
  expect(refund).toMatchObject({ status: 'needs_approval', requestedBy: agent.id })
  expect((await refundsOf(world, ben).read(refund.id)).can).toMatchObject({ approve: false })
  expect(await refundsOf(world, ben).refusal(`POST /api/refunds/${refund.id}/approve`)).toMatchObject({
    status: 403,
    problem: { code: 'second_person_needed' },
  })
  expect(await refundsOf(world).act(refund.id, 'approve')).toMatchObject({ status: 'succeeded' })
})

test('IDN-47 SEC key that an agent created, and rotated itself, tells the person behind the agent’s own key', async () => {
  const agents = `/api/organizations/${world.ada.things.organizations}/agents`
  const agent = await ben.fetchJson<{ id: string }>(`POST ${agents}`, { name: 'Key maker', role: 'admin' }, 201)
  const scopes = ['posts.read', 'api_keys.write']
  const own = await ben.createKey({ scopes, agentId: agent.id })
  const draft = { name: 'Child', service: 'platform-socialize', scopes }
  const child = await own.fetchJson<{ id: string; key: string }>('POST /api/api-keys', draft, 201)
  const caller = callerOf(world.handle, bearer(child.key))
  const rotated = await caller.fetchJson<{ key: string }>(`POST /api/api-keys/${child.id}/rotate`, {}, 201)
  for (const text of [own.text, rotated.key])
    expect(await callerOf(world.handle, bearer(text)).fetchJson<object>('GET /validate')).toMatchObject({
      principal: { id: agent.id },
      apiKey: { responsible: ben.id },
    })
})

test('PAY-34 SEC refunds of one order by one person count together, however many there are', async () => {
  await beginWith()
  const order = await sell()
  const refund = (by = world.ada, amount = 500) => refundsOf(world, by).create({ orderId: order.id, amount })
  const first = await refund()
  expect(first.status).toBe('succeeded')
  const key = await world.ada.createKey({ service: 'platform-pay', scopes: keyScopes })
  expect((await refundsOf(world, key).create({ orderId: order.id, amount: 500 })).status).toBe('succeeded')
  const waiting = await refund(world.ada, 1)
  expect(waiting.status).toBe('needs_approval')
  // Another person’s are counted apart, and so are other orders.
  expect((await refundsOf(world, ben).create({ orderId: order.id, amount: 1_000 })).status).toBe('succeeded')
  expect((await refundsOf(world).create({ orderId: (await sell()).id, amount: 1_000 })).status).toBe('succeeded')
  await world.database.sql`
    UPDATE payments.refunds SET created_at = created_at - interval '25 hours' WHERE id = ${first.id}`
  expect((await refund(world.ada, 300)).status).toBe('succeeded')
})

test('PAY-34 SEC raised or removed ceiling stays as it was for the person who raised it until another confirms it', async () => {
  await beginWith()
  const large = async (by: Person) => (await refundsOf(world, by).create({ orderId: (await sell()).id })).status
  const raised = [{ of: 'refunds', currency: 'EUR', before: ceiling, by: ben.id, byName: 'Ben' }]
  expect((await setCeilings(ben, { refundCeilings: { EUR: 2_000 } })).raised).toEqual(raised)
  expect((await setCeilings(ben, { refundCeilings: {} })).raised).toEqual(raised)
  expect(await large(ben)).toBe('needs_approval')
  expect(await large(world.ada)).toBe('succeeded')
  const self = await ben.fetch('PUT /api/pay/settings', { confirmRaised: true, code: world.factors.recoveryCode })
  expect([self.status, (await self.json()).code]).toEqual([403, 'second_person_needed'])
  expect((await setCeilings(world.ada, { batchCeilings: {} })).raised).toEqual(raised)
  expect((await setCeilings(world.ada, { confirmRaised: true })).raised).toEqual([])
  expect(await large(ben)).toBe('succeeded')
})

test('PAY-34 one ceiling is set and removed by a decimal amount; who confirms a raised one is told, with an action', async () => {
  await beginWith()
  const set = (person: Person, currency: string, decimalAmount?: string) =>
    person.fetch('PUT /api/pay/settings', { ceiling: { of: 'refunds', currency, decimalAmount } })
  expect(await (await set(ben, 'JPY', '5000')).json()).toMatchObject({
    refundCeilings: { EUR: ceiling, JPY: 5_000 },
    batchCeilings: {},
    raised: [],
    approvers: ['Ada', 'Ben'],
    can: { update: true, confirm: false, confirmAlone: false },
  })
  const refused = await set(ben, 'JPY', '50.5')
  expect([refused.status, await refused.json()]).toEqual([
    422,
    expect.objectContaining({ errors: [expect.objectContaining({ path: 'ceiling.decimalAmount' })] }),
  ])
  expect(await (await set(ben, 'JPY')).json()).toMatchObject({
    refundCeilings: { EUR: ceiling },
    can: { confirm: false },
  })
  const actions = async () =>
    (
      await world.database.sql`
      SELECT 1 FROM platform.raised_actions WHERE cause LIKE 'payments.raised-ceilings.%' AND resolved_at IS NULL`
    ).length
  expect(await actions()).toBe(1)
  const read = (person: Person) => person.fetchJson<{ can: object }>('GET /api/pay/settings')
  expect((await read(world.ada)).can).toEqual({ update: true, confirm: true, confirmAlone: false })
  const key = await world.ada.createKey({ service: 'platform-pay', scopes: ['settings.read', 'settings.write'] })
  expect((await key.fetchJson<{ can: object }>('GET /api/pay/settings')).can).toEqual({
    update: false,
    confirm: false,
    confirmAlone: false,
  })
  const [action] = await openActions(world, 'payments.raised-ceilings.')
  expect((await press(ben, action, 'Confirm')).status).toBe(403)
  expect((await press(world.ada, action, 'Confirm')).status).toBe(200)
  expect(await actions()).toBe(0)
})

test('PAY-34 SEC lowering a ceiling below what it was ends the confirmation that it needed', async () => {
  await beginWith()
  expect((await setCeilings(ben, { refundCeilings: { EUR: 2_000 } })).raised).toHaveLength(1)
  expect((await setCeilings(ben, { refundCeilings: { EUR: 1_500 } })).raised).toHaveLength(1)
  expect((await setCeilings(ben, { refundCeilings: { EUR: 400 } })).raised).toEqual([])
})

test('PAY-34 SEC owner without another admin confirms a ceiling of their own with a second factor', async () => {
  await beginWith()
  await world.ada.fetchJson(
    `DELETE /api/organizations/${world.ada.things.organizations}/members/${ben.id}`,
    undefined,
    204,
  )
  await setCeilings(world.ada, { refundCeilings: {} })
  const confirm = (code?: string) => world.ada.fetch('PUT /api/pay/settings', { confirmRaised: true, code })
  const without = await confirm()
  expect([without.status, (await without.json()).code]).toEqual([403, 'second_factor_needed'])
  expect((await confirm('000000')).status).toBe(422)
  expect(await (await confirm(world.factors.recoveryCode)).json()).toMatchObject({ raised: [] })
})
