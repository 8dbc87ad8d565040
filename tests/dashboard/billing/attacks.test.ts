import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { openWorld, type World } from '../../support/world.ts'
import { openWebsite, type Website } from './buying.ts'
import { openBilling, type BillingDesk } from './owning.ts'

let world: World
let site: Website
let desk: BillingDesk

beforeAll(async () => {
  world = await openWorld()
  desk = await openBilling(world)
  site = await openWebsite(world)
})
afterAll(async () => {
  await site.listener.stop()
  await desk.shop.listener.stop()
  await world.close()
})

const codesOf = async (answers: Response[]) =>
  Promise.all(
    answers.map(async (answer) => {
      const { code }: { code?: string } = await answer.json()
      return code ?? answer.status
    }),
  )

test('DSH-30 account that was opened with a foreign email address can’t take an order that its owner pays', async () => {
  const thief = await desk.owner()
  const { email } = (await thief.fetchJson<{ user: { email: string } }>('GET /api/auth/me')).user
  const order = await site.begin({ email })
  await site.pay(order)
  await site.check(order)
  expect(await site.read(order)).toMatchObject({ state: 'waiting' })
  const refused = await thief.fetch(`POST /api/checkout/${order.id}/accept`, {})
  expect(await codesOf([refused])).toEqual(['email_unverified'])
  expect(await thief.fetchJson(`GET /api/checkout/${order.id}/offer`)).toMatchObject({
    organization: null,
    code: 'email_unverified',
    problem: expect.stringContaining('Verify your email address'),
  })
  expect(await desk.read(thief)).toMatchObject({ subscription: null })
  await world.database.sql`UPDATE identity.users SET email_verified_at = now() WHERE email = ${email}`
  const path = `POST /api/checkout/${order.id}/accept`
  const answers = await Promise.all([thief.fetch(path, {}), thief.fetch(path, {})])
  expect((await codesOf(answers)).filter((code) => code === 200 || code === 'checkout_state')).toHaveLength(2)
  expect(await site.charges(order)).toEqual([{ amount: 3_600, refunded: 0 }])
  expect(await desk.read(thief)).toMatchObject({ subscription: { package: 'three', seats: 4 }, seats: { paid: 4 } })
})

test('DSH-30 payer’s cookie signs in nowhere before the payment, at another order, or after it was used', async () => {
  const [paid, open] = [await site.begin(), await site.begin()]
  const signIn = (id: string, browser = paid.browser) => browser.fetch(`POST /api/checkout/${id}/sign-in`, {})
  expect((await signIn(paid.id)).status).toBe(409)
  await site.pay(paid)
  await site.check(paid)
  expect(await codesOf([await signIn(open.id), await signIn(paid.id, open.browser)])).toEqual([
    'sign_in_by_email',
    'sign_in_by_email',
  ])
  expect((await signIn(newId())).status).toBe(404)
  expect((await signIn(paid.id)).status).toBe(200)
  await world.database
    .sql`UPDATE dashboard.checkouts SET signed_in_at = now() - interval '6 minutes' WHERE id = ${paid.id}`
  expect(await codesOf([await signIn(paid.id)])).toEqual(['sign_in_by_email'])
})

test('DSH-32 change that is sent five times at once is charged once, and orders at once leave at most one open', async () => {
  const owner = await desk.owner()
  const id = await desk.order(owner, { package: 'three', seats: 2 })
  const { prorationDate, amountDue } = await desk.preview(owner, { seats: '4' })
  const change = () => owner.fetch(`POST ${owner.path}/change`, { seats: 4, prorationDate, amountDue })
  const codes = await codesOf(await Promise.all(Array.from({ length: 5 }, change)))
  expect(codes).toContain(200)
  expect(codes.filter((code) => code !== 200 && code !== 'subscription_busy')).toEqual([])
  expect(await desk.shop.charges(id)).toEqual([1_800, ...(amountDue > 0 ? [amountDue] : [])])

  const second = await desk.owner()
  const order = (seats: number) => second.fetch(`POST ${second.path}/checkout`, { package: 'three', seats })
  const started = await codesOf(await Promise.all([order(1), order(2), order(3)]))
  expect(started.filter((code) => code !== 200 && code !== 'subscription_busy')).toEqual([])
  // Each replaces the other, as long as no one has paid.
  const [open] = await world.database.sql<
    { subscriptions: number }[]
  >`SELECT count(*)::int AS subscriptions FROM payments.subscriptions
    WHERE organization_id = ${second.organizationId} AND status <> 'canceled'`
  expect(open?.subscriptions).toBeLessThanOrEqual(1)
})

test('DSH-36 changes of subscriptions are taken from payments alone', async () => {
  const route = 'POST /api/internal/subscription-webhooks'
  const answers = await Promise.all([world.stranger, world.ada, world.key].map(({ fetch }) => fetch(route, {})))
  expect(answers.map(({ status }) => status)).toEqual([401, 403, 403])
})
