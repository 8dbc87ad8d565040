import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { dayInWords } from '#lib/time.ts'
import { subscriptionCards } from '../../payments/subscribing.ts'
import { openWorld, type World } from '../../support/world.ts'
import { openActions } from '../raised/acting.ts'
import { openBilling, type BillingDesk, type Owner } from './owning.ts'

let world: World
let desk: BillingDesk

beforeAll(async () => {
  world = await openWorld()
  desk = await openBilling(world)
})
afterAll(async () => {
  await desk.shop.listener.stop()
  await world.close()
})

const problemOf = async ({ fetch }: Owner, route: string, body?: object) => {
  const answer = await fetch(route, body)
  const { code, errors }: { code: string; errors?: { path: string }[] } = await answer.json()
  return { status: answer.status, code, paths: errors?.map(({ path }) => path) }
}

/** What their webhook has been sent. */
const eventsOf = async ({ organizationId }: Owner) => {
  const rows = await world.database.sql<{ body: string }[]>`
    SELECT body FROM platform.webhook_messages WHERE organization_id = ${organizationId} ORDER BY created_at, id`
  return rows.map(({ body }): { type: string; data: object } => JSON.parse(body))
}

const followEvents = ({ fetchJson }: Owner) =>
  fetchJson(
    'POST /api/webhooks',
    { name: 'Plan', url: 'https://acme.example/hook', events: ['subscription.updated', 'seats.mismatch'] },
    201,
  )

const appsOf = async ({ fetchJson, organizationId }: Owner) => {
  const { items } = await fetchJson<{ items: { slug: string }[] }>(`GET /api/organizations/${organizationId}/apps`)
  return items.map(({ slug }) => slug).filter((slug) => ['platform-pay', 'platform-socialize'].includes(slug))
}

test('DSH-36 owner without a subscription orders a package, and sees its plan, seats and invoice', async () => {
  const owner = await desk.owner()
  const before = await desk.read(owner)
  expect(before).toMatchObject({ subscription: null, invoices: [], plannedInvoice: null, seats: { used: 1 } })
  expect(before.prices.map((price) => price.package)).toContain('three')
  const none = { status: 409, code: 'no_subscription' }
  expect(await problemOf(owner, `GET ${owner.path}/preview?seats=3`)).toMatchObject(none)
  for (const step of ['cancel', 'portal'])
    expect(await problemOf(owner, `POST ${owner.path}/${step}`, {})).toMatchObject(none)
  expect(await problemOf(owner, `POST ${owner.path}/checkout`, { package: 'free', seats: 0 })).toMatchObject({
    status: 422,
    paths: ['package', 'seats'],
  })

  await followEvents(owner)
  await desk.order(owner, { package: 'three', seats: 4 })
  expect((await eventsOf(owner)).at(-1)).toMatchObject({
    type: 'subscription.updated',
    data: { package: 'three', seats: 4, status: 'active', access: 'full' },
  })
  const after = await desk.read(owner)
  expect(after).toMatchObject({
    subscription: { package: 'three', seats: 4, status: 'active', access: 'full', cancelAtPeriodEnd: false },
    invoices: [{ status: 'paid', total: 3_600 }],
    plannedInvoice: { at: expect.any(String), currency: 'EUR', amount: 3_600 },
    apps: { allowed: 3 },
    seats: { used: 1, paid: 4 },
  })
  expect(after.invoices[0]?.url).toStartWith('http')
  expect(await problemOf(owner, `POST ${owner.path}/checkout`, { package: 'ten', seats: 4 })).toMatchObject({
    status: 409,
    code: 'already_subscribed',
  })
  const page = await (await owner.fetch('GET /settings/billing', undefined, { accept: 'text/html' })).text()
  expect(page).toMatch(/Next invoice.*Planned.*€36\.00/s)
})

test('DSH-32 change of seats charges what its preview said, once, and another amount never', async () => {
  const owner = await desk.owner()
  const id = await desk.order(owner, { package: 'three', seats: 2 })
  await desk.halfway(id)
  const quote = await desk.preview(owner, { seats: '6' })
  expect(quote).toMatchObject({ package: 'three', seats: 6, monthlyTotal: 5_400, total: quote.amountDue })
  expect(Math.abs(quote.amountDue - 1_800)).toBeLessThanOrEqual(2)
  expect(quote.lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(quote.total)
  const { prorationDate, amountDue } = quote
  const change = { seats: 6, prorationDate, amountDue }
  const cheaper = { ...change, amountDue: amountDue - 1 }
  expect(await problemOf(owner, `POST ${owner.path}/change`, cheaper)).toMatchObject({
    status: 409,
    code: 'preview_changed',
  })
  expect(await problemOf(owner, `POST ${owner.path}/change`, { ...change, amountDue: -1 })).toMatchObject({
    status: 422,
    paths: ['amountDue'],
  })
  expect(await desk.shop.charges(id)).toEqual([1_800])
  for (let again = 0; again < 2; again += 1)
    expect(await owner.fetchJson(`POST ${owner.path}/change`, change)).toMatchObject({ subscription: { seats: 6 } })
  expect(await desk.shop.charges(id)).toEqual([1_800, amountDue])
  expect((await desk.read(owner)).invoices.map(({ total }) => total)).toEqual([amountDue, 1_800])
  await desk.apply(id)
  expect((await desk.read(owner)).seats).toEqual({ used: 1, paid: 6 })
})

test('DSH-32 owner sees the payment method that is charged next, and where invoices are sent', async () => {
  const owner = await desk.owner()
  const route = `GET ${owner.path}/payer`
  expect(await problemOf(owner, route)).toMatchObject({ status: 409, code: 'no_subscription' })
  const id = await desk.order(owner, { package: 'three', seats: 1 })
  const method = { type: 'card', brand: 'visa', lastFour: '4242' }
  const payer = await owner.fetchJson<{ email: string; method: { expiry: object } }>(route)
  expect(payer).toMatchObject({ organizationId: owner.organizationId, method })
  expect(payer.email).toEndWith('@example.com')
  expect(payer.method.expiry).toMatchObject({ state: 'valid' })
  const [row] = await world.database.sql<{ customer: string; provider: string }[]>`
    SELECT provider_customer_id AS customer, provider_subscription_id AS provider
    FROM payments.subscriptions WHERE id = ${id}`
  await world.database.sql`
    UPDATE practice_payments.objects SET data = jsonb_set(data, '{card,exp_year}', '2020')
    WHERE type = 'payment_method' AND data ->> 'customer' = ${row?.customer ?? ''}`
  expect(await owner.fetchJson<object>(route)).toMatchObject({ method: { expiry: { year: 2020, state: 'expired' } } })
  await world.database.sql`
    UPDATE practice_payments.objects SET data = data || '{"default_payment_method": null}' WHERE id = ${row?.provider ?? ''}`
  expect(await owner.fetchJson<object>(route)).toMatchObject({ method: null })
  const other = await desk.owner()
  expect((await other.fetch(route)).status).toBe(404)
})

test('DSH-32 owner opens the provider’s portal, cancels at the end of the period and resumes', async () => {
  const owner = await desk.owner()
  const id = await desk.order(owner, { package: 'five', seats: 1 })
  const { url } = await owner.fetchJson<{ url: string }>(`POST ${owner.path}/portal`, {})
  expect((await owner.fetch(`GET ${new URL(url).pathname}`)).status).toBe(200)
  const cancel = (body: object) => owner.fetchJson(`POST ${owner.path}/cancel`, body)
  for (const resume of [false, false, true, true])
    expect(await cancel(resume ? { resume } : {})).toMatchObject({
      subscription: { status: 'active', access: 'full', cancelAtPeriodEnd: !resume },
      plannedInvoice: resume ? { currency: 'EUR' } : null,
    })
  await desk.endAtProvider(id)
  expect(await problemOf(owner, `POST ${owner.path}/cancel`, { resume: true })).toMatchObject({
    status: 409,
    code: 'subscription_state',
  })
})

test('DSH-32 cancellation in the provider’s portal shows its end date, no next invoice, and can be resumed', async () => {
  const owner = await desk.owner()
  const id = await desk.order(owner, { package: 'five', seats: 1 })
  const { url } = await owner.fetchJson<{ url: string }>(`POST ${owner.path}/portal`, {})
  const [row] = await world.database.sql<{ provider: string }[]>`
    SELECT provider_subscription_id AS provider FROM payments.subscriptions WHERE id = ${id}`
  await desk.shop.visit(url, { outcome: 'cancel', subscription: row?.provider ?? '' })
  await desk.shop.settled(id, ({ cancelAtPeriodEnd }) => cancelAtPeriodEnd)
  const { subscription, plannedInvoice } = await desk.read(owner)
  expect(plannedInvoice).toBeNull()
  expect(subscription?.cancelAt).toBe(subscription?.currentPeriodEndsAt ?? '')
  const readPage = async () => (await owner.fetch('GET /settings/billing', undefined, { accept: 'text/html' })).text()
  const page = await readPage()
  expect(page).toContain(`The subscription ends on ${dayInWords(new Date(subscription?.cancelAt ?? ''))}`)
  expect(page).toContain('Resume subscription')
  expect(page).not.toContain('Cancel subscription')
  expect(page).not.toContain('Next invoice')
  // A date after this period, which our own pages at the provider can set.
  const later = Math.floor(Date.now() / 1000) + 60 * 86_400
  await world.database
    .sql`UPDATE practice_payments.objects SET data = data || jsonb_build_object('cancel_at', ${later}::int)
    WHERE id = ${row?.provider ?? ''}`
  await desk.shop.check(id)
  expect(await desk.read(owner)).toMatchObject({ plannedInvoice: { currency: 'EUR' } })
  expect(await readPage()).toContain(`The subscription ends on ${dayInWords(new Date(later * 1000))}`)
  expect(await owner.fetchJson<object>(`POST ${owner.path}/cancel`, { resume: true })).toMatchObject({
    subscription: { cancelAtPeriodEnd: false, cancelAt: null },
    plannedInvoice: { currency: 'EUR' },
  })
  expect(await readPage()).toContain('Cancel subscription')
})

test('DSH-36 billing is refused to members who aren’t owners, other organizations and strangers', async () => {
  const { organizations, subscriptions } = world.ada.things
  const admin = await world.join(world.ada, { name: 'Adam', role: 'admin' })
  const path = `/api/organizations/${organizations}/billing`
  const change = { seats: 12, prorationDate: new Date().toISOString(), amountDue: 0 }
  const requests: [string, object?][] = [
    [`GET ${path}`],
    [`GET ${path}/preview?seats=12`],
    [`POST ${path}/change`, change],
    [`POST ${path}/cancel`, {}],
    [`POST ${path}/portal`, {}],
    [`POST ${path}/checkout`, { package: 'three', seats: 20 }],
  ]
  for (const [route, body] of requests) {
    for (const caller of [admin, world.vera, world.key])
      expect((await caller.fetch(route, body)).status, route).toBe(403)
    expect((await world.mallory.fetch(route, body)).status, route).toBe(404)
    expect((await world.stranger.fetch(route, body)).status, route).toBe(401)
  }
  expect(await desk.shop.read(subscriptions)).toMatchObject({ seats: 10, cancelAtPeriodEnd: false })
  const unknown = `GET /api/organizations/${newId()}/billing`
  expect((await world.ada.fetch(unknown)).status).toBe(404)
})

test('DSH-32 reconciliation sets a wrong entitlement right, and raises one action while more seats are in use than paid', async () => {
  const owner = await desk.owner()
  const { organizationId } = owner
  await desk.order(owner, { package: 'three', seats: 2 })
  const pay = world.websiteServices['platform-pay'] ?? world.stranger
  const reconcile = (body: object = { organizationId }) =>
    pay.fetchJson<{ checked: number; differences: object[] }>('POST /api/internal/seats/reconcile', body)
  const open = () => openActions(world, `identity.seats:${organizationId}`)
  expect(await reconcile()).toEqual({ checked: 1, differences: [] })

  const identity = world.services['platform-pay'] ?? world.stranger
  await identity.fetchJson(`PUT /api/internal/organizations/${organizationId}/entitlement`, { mode: 'all', seats: 50 })
  expect(await reconcile()).toMatchObject({
    differences: [{ organizationId, used: 1, paid: 2, wrong: ['mode', 'paidAppCount', 'seats'] }],
  })
  expect(await desk.read(owner)).toMatchObject({ apps: { allowed: 3 }, seats: { paid: 2 } })

  await followEvents(owner)
  await desk.crowd(owner, 2)
  expect(await open()).toEqual([])
  const difference = { organizationId, access: 'full', used: 3, paid: 2, wrong: [] }
  expect(await eventsOf(owner)).toEqual([])
  expect((await reconcile({})).differences).toContainEqual(difference)
  expect(await reconcile()).toEqual({ checked: 1, differences: [difference] })
  expect((await eventsOf(owner))[0]).toMatchObject({ type: 'seats.mismatch', data: { used: 3, paid: 2 } })
  expect(await open()).toMatchObject([{ organization: organizationId, title: 'One seat more in use than paid' }])
  const { prorationDate, amountDue } = await desk.preview(owner, { seats: '3' })
  await owner.fetchJson(`POST ${owner.path}/change`, { seats: 3, prorationDate, amountDue })
  await desk.apply(await desk.newestOf(owner))
  expect(await open()).toEqual([])
  expect(await reconcile()).toEqual({ checked: 1, differences: [] })
  expect(await problemOf(owner, `GET ${owner.path}/preview?seats=2`)).toMatchObject({ code: 'seats_in_use' })

  expect((await owner.fetch('POST /api/internal/seats/reconcile', {})).status).toBe(403)
  expect((await world.stranger.fetch('POST /api/internal/seats/reconcile', {})).status).toBe(401)
})

test('DSH-32 reconciliation compares all terms, also of organizations that are unpaid or ended, and lists what differs', async () => {
  const owner = await desk.owner()
  const { organizationId } = owner
  const id = await desk.order(owner, { package: 'three', seats: 2 })
  const pay = world.websiteServices['platform-pay'] ?? world.stranger
  const identity = world.services['platform-pay'] ?? world.stranger
  const reconcile = () => pay.fetchJson('POST /api/internal/seats/reconcile', { organizationId })
  const none = { checked: 1, differences: [] }
  const set = (terms: object) =>
    identity.fetchJson(`PUT /api/internal/organizations/${organizationId}/entitlement`, terms)
  const expectSetRight = async (difference: object) => {
    expect(await reconcile()).toMatchObject({ checked: 1, differences: [{ organizationId, ...difference }] })
    expect(await reconcile()).toEqual(none)
  }
  const terms = { mode: 'count', paidAppCount: 3, seats: 2 }
  for (const [changed, wrong] of [
    [{ paidAppCount: 5 }, 'paidAppCount'],
    [{ appSlugs: ['platform-pay'] }, 'appSlugs'],
    [{ standing: 'unpaid' }, 'standing'],
  ] as const) {
    await set({ ...terms, ...changed })
    await expectSetRight({ access: 'full', wrong: [wrong] })
  }

  await world.database.sql`
    UPDATE dashboard.platform_subscriptions SET access = 'read_only' WHERE owner_id = ${organizationId}`
  await expectSetRight({ access: 'read_only', paid: 1, wrong: ['paidAppCount', 'seats', 'standing'] })
  expect(await standingOf(owner)).toBe('unpaid')

  await desk.endAtProvider(id)
  expect(await reconcile()).toEqual(none)
  await set({ mode: 'all', seats: 50 })
  const [app] = (await catalogOf(owner)).items.filter(({ paid }) => paid)
  expect((await owner.fetch(`POST /api/catalog/${app?.id}/install`, {})).status).toBeLessThan(300)
  await expectSetRight({ access: 'ended', paid: 1, wrong: ['mode', 'seats', 'standing', 'apps'] })
  expect(await standingOf(owner)).toBe('ended')
  expect(await appsOf(owner)).toEqual([])
})

test('DSH-32 unpaid organization keeps its apps, then can’t grow, loses them when it ends, and has them back when it pays', async () => {
  const owner = await desk.owner()
  const { organizationId, path } = owner
  const draft = { package: 'three', seats: 4, ownerId: organizationId, trialDays: 30 }
  const { subscription, checkoutUrl } = await desk.shop.start(draft)
  const { id } = subscription
  await desk.shop.pay(checkoutUrl, subscriptionCards.refusedLater)
  await desk.shop.settled(id, ({ status }) => status === 'trialing')
  await desk.apply(id)
  const apps = await appsOf(owner)
  expect(apps).not.toEqual([])

  await desk.shop.endPeriod(id)
  await desk.shop.settled(id, ({ status }) => status === 'past_due')
  await desk.apply(id)
  const late = await desk.read(owner)
  expect(late).toMatchObject({
    subscription: { status: 'past_due', access: 'full', dunning: { attempts: 1 } },
    apps: { allowed: 3 },
    seats: { paid: 4 },
  })
  await desk.age(id, 14.1)
  expect(await desk.read(owner)).toMatchObject({
    subscription: { access: 'read_only' },
    apps: { allowed: 0, used: apps.length },
    seats: { used: 1, paid: 1 },
  })
  expect(await appsOf(owner)).toEqual(apps)
  expect(await standingOf(owner)).toBe('unpaid')

  await desk.endAtProvider(id)
  expect(await desk.read(owner)).toMatchObject({
    subscription: { status: 'canceled', access: 'ended' },
    plannedInvoice: null,
    apps: { used: 0 },
  })
  expect(await appsOf(owner)).toEqual([])
  expect(await standingOf(owner)).toBe('ended')
  const [app] = (await catalogOf(owner)).items.filter(({ paid }) => paid)
  const refused = await owner.fetch(`POST /api/catalog/${app?.id}/install`, {})
  expect([refused.status, (await refused.json()).detail]).toEqual([
    402,
    expect.stringContaining('The subscription of this organization has ended.'),
  ])
  const again = { package: 'three', seats: 5 }
  expect(await problemOf(owner, `POST ${path}/checkout`, again)).toMatchObject({ status: 409, code: 'invoice_unpaid' })
  await desk.shop.visit(late.invoices[0]?.url ?? '', { outcome: 'pay', number: subscriptionCards.good })
  await desk.order(owner, again)
  expect(await desk.read(owner)).toMatchObject({
    subscription: { package: 'three', status: 'active', access: 'full', dunning: null },
    apps: { allowed: 3, used: apps.length },
    seats: { used: 1, paid: 5 },
  })
  expect(await appsOf(owner)).toEqual(apps)
  expect(await standingOf(owner)).toBeUndefined()
})

interface Catalog {
  items: { id: string; paid: boolean }[]
  plan: { standing?: string }
}

const catalogOf = (owner: Owner) => owner.fetchJson<Catalog>('GET /api/catalog')
const standingOf = async (owner: Owner) => (await catalogOf(owner)).plan.standing
