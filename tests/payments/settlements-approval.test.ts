import { afterAll, beforeAll, expect, test } from 'bun:test'
import { digest } from '#lib/ids.ts'
import type { Person } from '../support/world.ts'
import { openActions, press } from '../dashboard/raised/acting.ts'
import {
  actionsOf,
  batchOf,
  openSettlements,
  read,
  receiveCallbacks,
  untilStatus,
  type Receiver,
  type Settlements,
  type ShownBatch,
} from './settlements-world.ts'

let settlements: Settlements
let receiver: Receiver
let ben: Person
let cleo: Person

const ada = () => settlements.world.ada
const mallory = () => settlements.world.mallory

beforeAll(async () => {
  settlements = await openSettlements()
  receiver = receiveCallbacks()
  await settlements.fund(10_000_000)
  const { world, setCeiling } = settlements
  ben = await world.join(world.ada, { name: 'Ben', role: 'admin' })
  cleo = await world.join(world.ada, { name: 'Cleo', role: 'admin' })
  for (const { things } of [world.ada, world.mallory]) await setCeiling(things.organizations, 1_000)
})
afterAll(async () => {
  await settlements.close()
  await receiver.stop()
})

const codeOf = async (response: Response) => [response.status, (await response.json()).code]

async function request(by: Pick<Person, 'fetchJson'>): Promise<string> {
  const draft = batchOf(receiver.url, [600, 500])
  expect(await by.fetchJson('POST /api/settlements', draft, 202)).toMatchObject({ status: 'needs_approval' })
  return draft.batchId
}

test('PAY-34 batch at its ceiling is paid at once, and one above waits for another person, with an action', async () => {
  const small = batchOf(receiver.url, [1_000])
  expect(await ada().fetchJson('POST /api/settlements', small, 202)).toMatchObject({ status: 'accepted' })
  const batchId = await request(ada())
  const waiting = await read(ada(), batchId)
  expect(waiting).toMatchObject({ can: { approve: false, decline: false, check: false } })
  expect(await actionsOf(settlements.world, waiting.id)).toEqual(['settlement-approval'])
  expect(await codeOf(await ada().fetch(`POST /api/settlements/${batchId}/approve`, {}))).toEqual([
    403,
    'second_person_needed',
  ])
  expect(await codeOf(await ada().fetch(`POST /api/settlements/${batchId}/check`, {}))).toEqual([409, 'batch_state'])
  expect((await read(ben, batchId)).can).toMatchObject({ approve: true, confirmAlone: false, decline: true })
  expect((await settlements.world.vera.fetch(`POST /api/settlements/${batchId}/approve`, {})).status).toBe(403)
  const [action] = await openActions(settlements.world, `settlement-approval:${waiting.id}`)
  expect((await press(ben, action, 'Approve €11.00')).status).toBe(200)
  const paid = await untilStatus(ada(), batchId, 'completed')
  expect(paid.confirmedAlone).toBeNull()
  expect(await actionsOf(settlements.world, waiting.id)).toEqual([])
})

test('PAY-34 small batches of one person within a day are compared with the ceiling together, also when sent at once', async () => {
  const { status } = await settlements
    .serviceCaller('platform-p2p', ada().things.organizations)
    .then((service) => service.fetchJson<ShownBatch>('POST /api/settlements', batchOf(receiver.url, [900]), 202))
  expect(status).toBe('accepted')
  const send = async (by: Person, amount: number) =>
    (await by.fetchJson<ShownBatch>('POST /api/settlements', batchOf(receiver.url, [amount]), 202)).status
  const atOnce = await Promise.all([send(ben, 600), send(ben, 600)])
  expect(atOnce.toSorted()).toEqual(['accepted', 'needs_approval'])
  expect(await send(ben, 400)).toBe('accepted')
  expect(await send(ben, 1)).toBe('needs_approval')
  expect(await send(cleo, 1_000)).toBe('accepted')
})

test('PAY-34 two approvals and a decline at once: one decides, and the others are refused', async () => {
  const batchId = await request(ada())
  const answers = await Promise.all(
    [ben, cleo, ben, cleo].map((person, at) =>
      person.fetch(`POST /api/settlements/${batchId}/${at === 3 ? 'decline' : 'approve'}`, {}),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409, 409, 409])
  const decided = answers.findIndex(({ status }) => status === 200) === 3 ? 'failed' : 'completed'
  await untilStatus(ada(), batchId, decided)
})

test('PAY-34 declined batch pays nothing', async () => {
  const batchId = await request(ada())
  const { id } = await read(ada(), batchId)
  const [action] = await openActions(settlements.world, `settlement-approval:${id}`)
  expect(await (await press(ben, action, 'Decline')).json()).toMatchObject({
    status: 'failed',
    failure: 'declined',
    totals: { failed: { items: 2, amount: 1_100 } },
    can: { approve: false },
  })
  expect(await actionsOf(settlements.world, id)).toEqual([])
  expect(await codeOf(await cleo.fetch(`POST /api/settlements/${batchId}/approve`, {}))).toEqual([409, 'batch_state'])
})

test('PAY-34 API key can’t approve, and a batch that it requested counts as its owner’s', async () => {
  const scopes = ['settlements.write', 'transactions.read']
  const key = await ada().createKey({ scopes, service: 'platform-pay' })
  const batchId = await request(key)
  expect(await codeOf(await key.fetch(`POST /api/settlements/${batchId}/approve`, {}))).toEqual([
    403,
    'session_required',
  ])
  expect(await codeOf(await ada().fetch(`POST /api/settlements/${batchId}/approve`, {}))).toEqual([
    403,
    'second_person_needed',
  ])
  await cleo.fetchJson(`POST /api/settlements/${batchId}/approve`, {})
  await untilStatus(ada(), batchId, 'completed')
})

test('PAY-21 API key that can only send batches reads the state of its own, and of no others', async () => {
  const key = await ada().createKey({ scopes: ['settlements.write'], service: 'platform-pay' })
  const sent = (by: Pick<Person, 'fetch'>, batchId: string) => by.fetch(`GET /api/settlements/${batchId}/sent`)
  const own = await request(key)
  expect(await (await sent(key, own)).json()).toMatchObject({
    batchId: own,
    status: 'needs_approval',
    items: [{ status: 'pending' }, { status: 'pending' }],
  })
  expect((await sent(key, await request(ben))).status).toBe(404)
  expect((await sent(mallory(), own)).status).toBe(404)
  expect((await key.fetch(`GET /api/settlements/${own}`)).status).toBe(403)
})

test('PAY-34 owner without another holder of the permission confirms with a second factor, and the audit log says so', async () => {
  const batchId = await request(mallory())
  expect((await read(mallory(), batchId)).can).toMatchObject({ approve: true, confirmAlone: true })
  const route = `POST /api/settlements/${batchId}/approve`
  expect(await codeOf(await mallory().fetch(route, {}))).toEqual([403, 'second_factor_needed'])
  expect((await mallory().fetch(route, { code: 'zzzzzzzzzzzzzzzz' })).status).toBe(422)
  const code = 'qrstuvwxyzabcdef'
  await settlements.world.database.sql`
    INSERT INTO identity.recovery_codes (user_id, hash, created_at) VALUES (${mallory().id}, ${digest(code)}, now())`
  expect(await mallory().fetchJson(route, { code })).toMatchObject({ confirmedAlone: expect.any(String) })
  const { id } = await untilStatus(mallory(), batchId, 'completed')
  const rows = await settlements.world.database.sql<{ after: Record<string, unknown> }[]>`
    SELECT after FROM platform.audit_log WHERE object_id = ${id} AND operation = 'approveSettlement'`
  expect(rows).toMatchObject([{ after: { status: 'accepted', confirmedAlone: expect.any(String) } }])
  const again = await request(mallory())
  expect((await mallory().fetch(`POST /api/settlements/${again}/approve`, { code })).status).toBe(422)
})
