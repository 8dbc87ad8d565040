import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { openWorld, type World } from '../support/world.ts'
import { until } from './provider.ts'
import { cards, coffee, shopOf, type Shop, type ShownOrder } from './shop.ts'

// People answer a dispute from its action; the provider decides, and the ledger follows.

let world: World
let shop: Shop

beforeAll(async () => {
  world = await openWorld()
  shop = shopOf(world.ada, world.stranger)
})
afterAll(() => world.close())

interface Button {
  label: string
  method: string
  href: string
  fields?: { name: string }[]
  confirm?: string
}
interface Action {
  cause: string
  title: string
  actions: Button[]
}

async function sellDisputed(): Promise<ShownOrder & { dispute: string }> {
  const sold = await shop.sell(coffee, cards.disputed)
  const order = await until(
    async () => {
      for (const payment of sold.payments) await shop.check(payment)
      return shop.order(sold.id)
    },
    ({ disputes }) => disputes.length > 0,
  )
  return { ...order, dispute: order.disputes[0]?.id ?? '' }
}

const raised = async (dispute: string): Promise<Action | undefined> => {
  const rows = await world.database.sql<Action[]>`
    SELECT cause, title, actions FROM platform.raised_actions
    WHERE cause = ${`payments.dispute.${dispute}`} AND resolved_at IS NULL`
  return rows[0]
}
const buttonOf = async (dispute: string, label: string): Promise<Button> => {
  const button = (await raised(dispute))?.actions.find((each) => each.label === label)
  if (!button) throw new Error(`No button ${label}`)
  return button
}
const answered = (dispute: string, answer: string, body: object = {}) =>
  world.ada.fetch(`POST /api/disputes/${dispute}/${answer}`, body)

test('PAY-10 the loss of a disputed payment is accepted from its action, which asks first, and booked as lost', async () => {
  const order = await sellDisputed()
  const before = await shop.balances()
  const { method, href, confirm } = await buttonOf(order.dispute, 'Accept the loss')
  expect(confirm).toContain('can’t be undone')
  const accepted = await world.ada.fetchJson<{ status: string; closedAt: string | null }>(`${method} ${href}`, {})
  expect(accepted).toMatchObject({ id: order.dispute, status: 'lost', closedAt: expect.any(String) })
  expect((await shop.order(order.id)).status).toBe('lost')
  expect(await raised(order.dispute)).toBeUndefined()
  const after = await shop.balances()
  expect((after['disputes_held EUR'] ?? 0) - (before['disputes_held EUR'] ?? 0)).toBe(-order.total)
})

test('PAY-10 a dispute is accepted once, whether the same request or two at the same time repeat it', async () => {
  const { dispute, total } = await sellDisputed()
  const before = await shop.balances()
  const statuses = (await Promise.all([answered(dispute, 'accept'), answered(dispute, 'accept')])).map(
    ({ status }) => status,
  )
  expect(statuses).toContain(200)
  expect(statuses.every((status) => status === 200 || status === 409)).toBe(true)
  const again = await answered(dispute, 'accept')
  expect([again.status, await again.json()]).toMatchObject([409, { code: 'dispute_state', state: 'lost' }])
  const after = await shop.balances()
  expect((after['disputes_held EUR'] ?? 0) - (before['disputes_held EUR'] ?? 0)).toBe(-total)
})

test('PAY-10 evidence goes to the bank, whose verdict ends the dispute', async () => {
  const { id, dispute } = await sellDisputed()
  const { method, href, fields } = await buttonOf(dispute, 'Send evidence')
  expect(fields).toMatchObject([{ name: 'explanation' }])
  const won = await world.ada.fetchJson(`${method} ${href}`, { explanation: 'winning_evidence' })
  expect(won).toMatchObject({ status: 'won' })
  expect((await shop.order(id)).status).toBe('paid')
  expect(await raised(dispute)).toBeUndefined()
})

test('PAY-10 while the bank decides, the dispute is open without an action, and takes no second answer', async () => {
  const { dispute } = await sellDisputed()
  const explanation = 'The customer picked the order up and signed for it.'
  const sent = await world.ada.fetchJson(`POST /api/disputes/${dispute}/evidence`, { explanation })
  expect(sent).toMatchObject({ status: 'open' })
  expect(await raised(dispute)).toBeUndefined()
  for (const [answer, body] of [
    ['evidence', { explanation: 'Another one.' }],
    ['accept', {}],
  ] as const) {
    const response = await answered(dispute, answer, body)
    expect([answer, response.status, await response.json()]).toMatchObject([
      answer,
      409,
      { code: 'dispute_state', state: 'open' },
    ])
  }
})

test('PAY-10 an empty explanation names its field, and neither others nor viewers answer a dispute', async () => {
  const { dispute } = await sellDisputed()
  const empty = await answered(dispute, 'evidence', { explanation: '' })
  expect([empty.status, await empty.json()]).toMatchObject([
    422,
    { errors: [{ path: 'explanation', message: 'Enter why the payment was right.' }] },
  ])
  const route = `POST /api/disputes/${dispute}/accept`
  expect((await world.mallory.fetch(route, {})).status).toBe(404)
  expect((await world.vera.fetch(route, {})).status).toBe(403)
  expect((await answered(newId(), 'accept')).status).toBe(404)
  expect(await raised(dispute)).toBeDefined()
})
