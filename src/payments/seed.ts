import { z } from 'zod'
import { CreatedObject, itemsOf, SeedRefused, type Client } from '#lib/seed-client.ts'

const CreatedSetup = z.object({ url: z.string() })
const CreatedPayment = z.object({ id: z.string(), checkoutUrl: z.string().nullable() })

const cards = {
  good: '4242424242424242',
  declined: '4000000000000002',
  disputed: '4000000000000259',
  mastercard: '5555555555554444',
}

interface DemoOrder {
  currency: string
  lines: { name: string; quantity: number; unitAmount: number; taxRate?: string }[]
  customer?: { name?: string; email: string }
  /** With which card it is paid; without one, its payment link stays open. */
  card?: keyof typeof cards
  after?: 'refund' | 'refund-part' | 'cancel' | 'reserve'
  /** Without a payment link. */
  unsent?: true
  /** Issued before anything is refunded. */
  invoiced?: true
}

const ostkreuz = 'einkauf@ostkreuz.example'
const lena = { name: 'Lena Vogt', email: 'lena.vogt@example.com' }

const demoOrders: readonly DemoOrder[] = [
  { currency: 'EUR', lines: [{ name: 'Flat white', quantity: 1, unitAmount: 350, taxRate: '19' }], card: 'good' },
  {
    currency: 'EUR',
    lines: [
      { name: 'Huila, Colombia, 250 g', quantity: 2, unitAmount: 1_240, taxRate: '7' },
      { name: 'Maple syrup, 250 ml', quantity: 1, unitAmount: 980, taxRate: '7' },
      { name: 'Oat latte, large', quantity: 2, unitAmount: 400, taxRate: '19' },
    ],
    customer: lena,
    card: 'good',
    invoiced: true,
    after: 'refund-part',
  },
  {
    currency: 'EUR',
    lines: [{ name: 'Cold brew', quantity: 2, unitAmount: 490 }],
    customer: { name: 'Theo Kraus', email: 'theo.kraus@example.com' },
    card: 'good',
    after: 'refund',
  },
  {
    currency: 'EUR',
    lines: [{ name: 'Barista course', quantity: 1, unitAmount: 8_400, taxRate: '19' }],
    customer: { name: 'Robert Klein', email: 'r.klein@example.com' },
    card: 'disputed',
  },
  {
    currency: 'EUR',
    lines: [{ name: 'Cupping evening for eight', quantity: 1, unitAmount: 16_000, taxRate: '19' }],
    customer: { name: 'Jonas Brandt', email: 'jonas.brandt@example.com' },
    card: 'good',
    after: 'refund',
  },
  {
    currency: 'EUR',
    lines: [{ name: 'Filter paper', quantity: 1, unitAmount: 1_240 }],
    customer: lena,
    card: 'declined',
  },
  {
    currency: 'EUR',
    lines: [{ name: 'Catering', quantity: 1, unitAmount: 12_600, taxRate: '19' }],
    customer: { name: 'Café Ostkreuz GmbH', email: ostkreuz },
    invoiced: true,
  },
  {
    currency: 'EUR',
    lines: [{ name: 'Espresso machine, deposit', quantity: 1, unitAmount: 30_000 }],
    customer: { email: 'mina@example.com' },
    card: 'good',
    after: 'reserve',
  },
  { currency: 'EUR', lines: [{ name: 'Gift card', quantity: 1, unitAmount: 2_500 }], customer: lena, unsent: true },
  { currency: 'EUR', lines: [{ name: 'Mug', quantity: 2, unitAmount: 1_100 }], after: 'cancel' },
  {
    currency: 'JPY',
    lines: [{ name: 'Kenya, 200 g', quantity: 1, unitAmount: 3_200 }],
    customer: { name: 'Yui Tanaka', email: 'yui@example.com' },
    card: 'good',
  },
  {
    currency: 'KWD',
    lines: [{ name: 'Cardamom coffee', quantity: 1, unitAmount: 4_250 }],
    customer: { name: 'Fatima Al-Sabah', email: 'fatima@example.com' },
    card: 'good',
  },
]

const demoDraft = {
  currency: 'EUR',
  taxMode: 'exclusive',
  lines: [
    { name: 'Barista training, up to six people', quantity: 2, unitAmount: 18_000, taxRate: '19' },
    { name: 'Recipe development, per hour', quantity: 3, unitAmount: 4_200, taxRate: '19' },
  ],
  buyer: { name: 'Kaffebaren ApS', email: 'bogholderi@kaffebaren.example', taxNumber: 'DK38291746' },
  paymentDays: 30,
}

const demoMerchant = {
  name: 'Acme Coffee',
  legalName: 'Acme Coffee GmbH',
  address: { line1: 'Oranienstraße 34', postalCode: '10999', city: 'Berlin', country: 'DE' },
  taxNumber: 'DE811569869',
  timeZone: 'Europe/Berlin',
}

/** The refund of one order is above it, and waits for a second person. */
const refundCeiling = 10_000

const demoVenues = [
  { name: 'Kreuzberg', address: { line1: 'Oranienstraße 34', postalCode: '10999', city: 'Berlin', country: 'DE' } },
  { name: 'Web shop' },
]

/** The first merchant, with its venues. Returns their IDs. */
async function seedVenues(owner: Client): Promise<string[]> {
  const { items } = await owner.request('GET /api/merchants?limit=1', itemsOf(CreatedObject))
  if (items.length > 0) return []
  const merchant = await owner.request('POST /api/merchants', CreatedObject, demoMerchant)
  const ids: string[] = []
  for (const venue of demoVenues)
    ids.push((await owner.request('POST /api/venues', CreatedObject, { merchantId: merchant.id, ...venue })).id)
  return ids
}

/** Everyone who orders with a name. Returns their IDs by email address. */
async function seedCustomers(owner: Client): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const { customer } of demoOrders) {
    if (!customer?.name || ids.has(customer.email)) continue
    const company =
      customer.email === ostkreuz ? { kind: 'company', address: demoMerchant.address, language: 'de' } : {}
    const { id } = await owner.request('POST /api/customers', CreatedObject, { ...customer, ...company })
    ids.set(customer.email, id)
  }
  return ids
}

const demoCards = new Map([
  [lena.email, [cards.mastercard, cards.good]],
  [ostkreuz, [cards.good]],
])

/** Saved on the practice provider’s page. */
async function seedCards(owner: Client, customers: ReadonlyMap<string, string>): Promise<void> {
  for (const [email, numbers] of demoCards) {
    const customer = `/api/customers/${customers.get(email) ?? ''}`
    for (const number of numbers) {
      const { url } = await owner.request(`POST ${customer}/setup-intents`, CreatedSetup, {})
      await pay(owner, url, number)
    }
    await owner.request(`POST ${customer}/payment-methods/check`, z.unknown(), {})
  }
}

/** Orders in every state, paid on the practice provider’s pages. Existing orders remain unchanged. */
export async function seedPayments(owner: Client): Promise<void> {
  const { items } = await owner.request('GET /api/orders?limit=1', itemsOf(z.unknown()))
  if (items.length > 0) return
  await owner.request('PUT /api/pay/settings', z.unknown(), { refundCeilings: { EUR: refundCeiling } })
  const venues = await seedVenues(owner)
  const customers = await seedCustomers(owner)
  await seedCards(owner, customers)
  for (const [at, order] of demoOrders.entries()) {
    const customerId = customers.get(order.customer?.email ?? '')
    const venueId = venues[at % venues.length]
    await seedOrder(owner, order, { ...(customerId && { customerId }), ...(venueId && { venueId }) })
  }
  await owner.request('POST /api/invoices', CreatedObject, demoDraft)
  await owner.request('POST /api/pay/reconciliation/runs', CreatedObject, {})
}

async function seedOrder(
  owner: Client,
  { card, after, unsent, invoiced, ...draft }: DemoOrder,
  of: { customerId?: string; venueId?: string },
): Promise<void> {
  const { id } = await owner.request('POST /api/orders', CreatedObject, { ...draft, ...of })
  if (unsent) return
  if (invoiced) await owner.request('POST /api/invoices', CreatedObject, { orderId: id, issue: true })
  const captureMethod = after === 'reserve' ? 'manual' : 'automatic'
  const payment = await owner.request('POST /api/payments', CreatedPayment, { orderId: id, captureMethod })
  if (after === 'cancel') await owner.request(`POST /api/orders/${id}/cancel`, z.unknown(), {})
  if (!card || payment.checkoutUrl === null) return
  await pay(owner, payment.checkoutUrl, cards[card])
  await owner.request(`POST /api/payments/${payment.id}/check`, z.unknown(), {})
  if (after === 'refund') await owner.request('POST /api/refunds', z.unknown(), { orderId: id })
  if (after === 'refund-part')
    await owner.request('POST /api/refunds', z.unknown(), {
      orderId: id,
      lines: [{ position: 3, quantity: 1 }],
      reason: 'quality',
    })
}

/** Sends the form of the provider’s page, which refuses a declined card. */
async function pay(owner: Client, checkoutUrl: string, number: string): Promise<void> {
  const form = new URLSearchParams({ outcome: 'pay', email: 'customer@example.com', number })
  await owner.request(`POST ${new URL(checkoutUrl).pathname}`, z.unknown(), form).catch((error: unknown) => {
    if (!(error instanceof SeedRefused && error.status === 402)) throw error
  })
}
