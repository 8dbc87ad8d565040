import { afterAll, beforeAll, expect, test } from 'bun:test'
import { applySubscription, sweepUnapplied } from '../../../src/dashboard/checkout/jobs.ts'
import { workOf } from '../../payments/subscribing.ts'
import { openWorld, type Caller, type World } from '../../support/world.ts'
import { openWebsite, type ShownCheckout, type Website } from './buying.ts'

let world: World
let site: Website

beforeAll(async () => {
  world = await openWorld()
  site = await openWebsite(world)
})
afterAll(async () => {
  await site.listener.stop()
  await world.close()
})

const openLink = (loginUrl: string) =>
  world.stranger.fetch(`GET ${new URL(loginUrl).pathname}${new URL(loginUrl).search}`, undefined, {
    accept: 'text/html',
    'sec-fetch-dest': 'document',
    'sec-fetch-mode': 'navigate',
  })

test('DSH-30 stranger pays for a package and has an organization with apps, seats and a sign-in link', async () => {
  const order = await site.begin()
  expect(await site.read(order)).toMatchObject({
    state: 'open',
    checkoutUrl: order.checkoutUrl,
    can: { signIn: false },
  })
  expect(await site.organizationOf(order.email)).toBeNull()
  await site.pay(order)
  await site.settle(await site.webhook(order))
  expect(await site.read(order)).toMatchObject({ state: 'ready', apps: 2, can: { signIn: true } })
  expect(await site.organizationOf(order.email)).toMatchObject({
    mode: 'count',
    seats: 4,
    apps: ['platform-pay', 'platform-socialize'],
  })
  const { loginUrl } = await order.browser.fetchJson<{ loginUrl: string }>(`POST /api/checkout/${order.id}/sign-in`, {})
  const landed = await openLink(loginUrl)
  expect(landed.status).toBe(303)
  expect(landed.headers.get('location')).toContain('/dashboard')
  expect(landed.headers.getSetCookie().join()).toContain('session=')
  expect((await world.letters(order.email)).map(({ subject }) => subject)).toContain('Corner Bakery is ready on Atrium')
})

test('DSH-30 buyer is signed out, when the owner of the email address opens the emailed link', async () => {
  const order = await site.begin()
  await site.pay(order)
  await site.settle(await site.webhook(order))
  const { loginUrl } = await order.browser.fetchJson<{ loginUrl: string }>(`POST /api/checkout/${order.id}/sign-in`, {})
  const landed = await openLink(loginUrl)
  const cookie = landed.headers.getSetCookie().map((each) => each.split(';')[0])
  const buyer = { cookie: cookie.join('; ') }
  const me = () => world.stranger.fetch('GET /api/auth/me', undefined, buyer)
  expect((await me()).status).toBe(200)
  const letters = await world.letters(order.email)
  const token = /token=([\w-]{43})\s/.exec(letters.map(({ text }) => text).join())?.[1] ?? ''
  expect((await world.stranger.fetch('POST /magic-link/consume', { token })).status).toBe(200)
  expect((await me()).status).toBe(401)
})

test('DSH-30 webhook that comes before, twice, late or never leads to one organization and one charge', async () => {
  const [twice, lost, late] = await Promise.all([site.begin(), site.begin(), site.begin()])
  for (const order of [twice, lost, late]) await site.pay(order)

  const id = await site.webhook(twice)
  await site.settle(id)
  const first = await site.organizationOf(twice.email)
  const [event] = await world.database.sql<{ body: string }[]>`
    SELECT body FROM payments.subscription_forwards WHERE subscription_id = ${id} AND sequence = 1`
  const pay = world.websiteServices['platform-pay'] ?? world.stranger
  const repeat = () => pay.fetchJson('POST /api/internal/subscription-webhooks', JSON.parse(event?.body ?? '{}'))
  expect(await Promise.all([repeat(), repeat()])).toEqual([{ applied: false }, { applied: false }])
  await site.apply(id)
  expect(await site.organizationOf(twice.email)).toEqual(first)
  expect(await site.charges(twice)).toEqual([{ amount: 3_600, refunded: 0 }])

  // Nothing was forwarded: the dashboard asks payments, which asks the provider.
  await site.check(lost)
  expect(await site.read(lost)).toMatchObject({ state: 'ready', can: { signIn: true } })
  expect(await site.organizationOf(lost.email)).toMatchObject({ seats: 4, mode: 'count' })

  await site.check(late)
  await site.settle(await site.webhook(late))
  expect(await site.read(late)).toMatchObject({ state: 'ready' })
  const [count] = await world.database.sql`
    SELECT count(*)::int AS organizations FROM identity.memberships m JOIN identity.users u ON u.id = m.user_id WHERE u.email = ${late.email}`
  expect(count?.['organizations']).toBe(1)
})

test('DSH-30 server that stops between any two steps goes on where it was', async () => {
  const order = await site.begin()
  await site.pay(order)
  const id = await site.webhook(order)
  await site.forward(id)
  const failing = (name: 'assign' | 'end') => ({
    ...workOf(world),
    subscriptions: { ...world.provided.subscriptions, [name]: () => Promise.reject(new Error('The server stopped')) },
  })
  expect(applySubscription.run({ ...failing('assign'), input: { subscriptionId: id } })).rejects.toThrow('stopped')
  expect(await site.read(order)).toMatchObject({ state: 'paid', can: { signIn: false } })
  await site.apply(id)
  expect(await site.read(order)).toMatchObject({ state: 'ready', can: { signIn: true } })
  const welcomes = (await world.letters(order.email)).filter(({ subject }) => subject.includes('is ready'))
  expect(welcomes).toHaveLength(1)
})

test('DSH-30 who pays with the address of an account isn’t signed in there; its owner chooses the organization', async () => {
  const owner = await world.join(world.ada, { name: 'Owen', role: 'owner' })
  const order = await site.begin({ email: owner.email, organizationName: 'Elsewhere' })
  await site.pay(order)
  await site.settle(await site.webhook(order))
  expect(await site.read(order)).toMatchObject({ state: 'waiting', can: { signIn: false } })
  const refused = await order.browser.fetch(`POST /api/checkout/${order.id}/sign-in`, {})
  expect(refused.status).toBe(409)
  expect(await refused.json()).toMatchObject({ code: 'sign_in_by_email' })
  const [letter] = await world.letters(owner.email)
  expect(letter?.text).toContain(`/checkout/${order.id}`)
  const accepted = await world.mallory.fetch(`POST /api/checkout/${order.id}/accept`, {})
  expect([accepted.status, (await accepted.json()).code]).toEqual([403, 'other_email'])
  const shown = async (who: Caller) =>
    (await who.fetch(`GET /checkout/${order.id}`, undefined, { accept: 'text/html' })).text()
  expect(await shown(owner)).toContain('Use it for ')
  expect(await shown(world.ada)).toContain('Sign in with the email address that was entered at the checkout.')
  expect(await shown(world.stranger)).toContain(`/login?next=/checkout/${order.id}`)
  // Acme has a trial, so the payment isn’t needed.
  const after = await owner.fetchJson<ShownCheckout>(`POST /api/checkout/${order.id}/accept`, {})
  expect(after).toMatchObject({ state: 'duplicate' })
  expect(await site.charges(order)).toEqual([{ amount: 3_600, refunded: 3_600 }])
})

test('DSH-30 order can’t be used for an organization that its payer doesn’t own, or for a second one', async () => {
  const admin = await world.join(world.ada, { name: 'Adele', role: 'admin' })
  const order = await site.begin({ email: admin.email, organizationName: 'Elsewhere' })
  await site.pay(order)
  await site.settle(await site.webhook(order))
  const offer = { organization: null, problem: 'Switch to an organization that you own first.' }
  expect(await admin.fetchJson<object>(`GET /api/checkout/${order.id}/offer`)).toEqual({
    ...offer,
    code: 'owner_required',
  })
  expect((await admin.fetch(`POST /api/checkout/${order.id}/accept`, {})).status).toBe(403)
  expect(await site.read(order)).toMatchObject({ state: 'waiting' })

  const used = await site.begin()
  await site.pay(used)
  await site.check(used)
  expect(await site.read(used)).toMatchObject({ state: 'ready' })
  const problem = 'This checkout isn’t waiting for an organization.'
  expect(await world.ada.fetchJson<object>(`GET /api/checkout/${used.id}/offer`)).toEqual({
    organization: null,
    code: 'checkout_state',
    problem,
  })
  const again = await world.ada.fetch(`POST /api/checkout/${used.id}/accept`, {})
  expect([again.status, await again.json()]).toMatchObject([409, { code: 'checkout_state', detail: problem }])
})

test('DSH-30 order that is paid twice is refunded once', async () => {
  const first = await site.begin()
  const second = await site.begin({ email: first.email })
  for (const order of [first, second]) await site.pay(order)
  await site.settle(await site.webhook(first))
  await site.settle(await site.webhook(second))
  expect([await site.read(first), await site.read(second)]).toMatchObject([{ state: 'ready' }, { state: 'duplicate' }])
  expect(await site.charges(second)).toEqual([{ amount: 3_600, refunded: 3_600 }])
  expect((await world.letters(first.email)).map(({ subject }) => subject)).toContain(
    'Your second payment for Corner Bakery is refunded',
  )
})

test('DSH-30 declined order makes nothing, can be paid with another card, and other browsers see no personal data', async () => {
  const order = await site.begin()
  await site.pay(order, '4000000000000002')
  await site.check(order)
  expect(await site.organizationOf(order.email)).toBeNull()
  expect(await site.read(order)).toMatchObject({ state: 'open', checkoutUrl: order.checkoutUrl })
  const seen = await site.stranger.fetchJson<ShownCheckout>(`GET /api/checkout/${order.id}`)
  expect(seen).toMatchObject({ email: null, checkoutUrl: null, can: { signIn: false } })
  await site.pay(order)
  await site.check(order)
  expect(await site.read(order)).toMatchObject({ state: 'ready' })
  expect((await site.stranger.fetch(`POST /api/checkout/${order.id}/sign-in`, {})).status).toBe(409)
})

test('DSH-31 free package is verified for 1 USD a year, and stored apart from paid subscriptions', async () => {
  const order = await site.begin({ package: 'free', seats: 9 })
  await site.pay(order)
  await site.check(order)
  expect(await site.read(order)).toMatchObject({ state: 'ready' })
  expect(await site.organizationOf(order.email)).toMatchObject({ mode: 'free', seats: 1, apps: null })
  expect(await site.charges(order)).toEqual([{ amount: 100, refunded: 0 }])
  const id = await site.subscriptionOf(order.id)
  const stored = await world.database.sql`
    SELECT (SELECT count(*)::int FROM dashboard.free_workspaces WHERE id = ${id}) AS free,
      (SELECT count(*)::int FROM dashboard.platform_subscriptions WHERE id = ${id}) AS paid`
  expect([...stored]).toEqual([{ free: 1, paid: 0 }])
})

test('DSH-31 change whose job used up its retries is applied by the next sweep, of free packages too', async () => {
  const orders = [await site.begin({ package: 'free' }), await site.begin()]
  const ids: string[] = []
  for (const order of orders) {
    await site.pay(order)
    await site.check(order)
    ids.push(await site.subscriptionOf(order.id))
  }
  const { sql } = world.database
  for (const table of ['free_workspaces', 'platform_subscriptions'])
    await sql`UPDATE dashboard.${sql(table)} SET applied_sequence = 0, received_at = now() - interval '11 minutes'
      WHERE id IN ${sql(ids)}`
  const queued: object[] = []
  const queue = {
    ...world.provided.queue,
    enqueue: async (_: unknown, { name }: { name: string }, input: object) => {
      queued.push({ name, ...input })
    },
  }
  await sweepUnapplied.run({ ...workOf(world), queue, input: {} })
  for (const subscriptionId of ids)
    expect(queued).toContainEqual({ name: 'dashboard.apply-subscription', subscriptionId })
})

test('DSH-30 checkout refuses wrong fields by name, and what only programs fill in', async () => {
  const wrong = async (more: object) => {
    const draft = { package: 'three', seats: 1, email: 'c@example.com', organizationName: 'Bakery', ...more }
    const answer = await site.stranger.fetch('POST /api/checkout', draft)
    expect(answer.status).toBe(422)
    const { errors }: { errors: { path: string }[] } = await answer.json()
    return errors.map(({ path }) => path)
  }
  expect(await wrong({ package: 'six' })).toEqual(['package'])
  expect(await wrong({ seats: 0 })).toEqual(['seats'])
  expect(await wrong({ email: 'unfinished' })).toEqual(['email'])
  expect(await wrong({ organizationName: '' })).toEqual(['organizationName'])
  expect(await wrong({ website: 'https://spam.example' })).toEqual(['website'])
})
