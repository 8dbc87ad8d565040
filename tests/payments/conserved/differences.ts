import type { Chance } from './random.ts'
import type { SeenOrder } from './history.ts'
import { idOf, type Provided } from './provided.ts'
import type { Shop } from './shops.ts'

interface SeenItem {
  id: string
  reference: string
  amount: number
  currency: string
  status: string
  transferId: string | null
  payoutId: string | null
}

/** What our API says of a shop. */
export interface Known {
  orders: readonly SeenOrder[]
  items: readonly SeenItem[]
  batches: readonly { batchId: string; status: string }[]
  /** By `<account> <currency>`. */
  balances: ReadonlyMap<string, number>
  ledger: { balanced: boolean; chained: boolean; differences: unknown[] }
}

interface Page<Item> {
  items: Item[]
  nextCursor: string | null
}

async function readAll<Item>(chance: Chance, shop: Shop, path: string): Promise<Item[]> {
  const all: Item[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Page<Item> = await shop.read<Page<Item>>(
      chance,
      `GET ${path}${path.includes('?') ? '&' : '?'}limit=100${cursor && `&cursor=${cursor}`}`,
    )
    all.push(...page.items)
    cursor = page.nextCursor
  }
  return all
}

export async function readKnown(chance: Chance, shop: Shop): Promise<Known> {
  const [listed, batches, balances, ledger] = await Promise.all([
    readAll<{ id: string }>(chance, shop, '/api/orders'),
    readAll<{ batchId: string; status: string }>(chance, shop, '/api/settlements'),
    readAll<{ account: string; currency: string; balance: number }>(chance, shop, '/api/ledger/balances?per=merchant'),
    shop.read<Known['ledger']>(chance, 'GET /api/ledger/verify'),
  ])
  const orders = await Promise.all(listed.map(({ id }) => shop.read<SeenOrder>(chance, `GET /api/orders/${id}`)))
  const items = await Promise.all(
    batches.map(({ batchId }) => readAll<SeenItem>(chance, shop, `/api/settlements/${batchId}/items`)),
  )
  return {
    orders,
    batches,
    items: items.flat(),
    balances: new Map(balances.map(({ account, currency, balance }) => [`${account} ${currency}`, balance])),
    ledger,
  }
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)

/** Everything in which the two don’t agree, in words. */
export function differences(known: Known, provided: Provided): string[] {
  return [
    ...ledgerDifferences(known, provided),
    ...known.orders.flatMap((order) => orderDifferences(order, provided)),
    ...repeated(
      'order',
      known.orders.map(({ metadata }) => metadata['history'] ?? ''),
    ),
    ...repeated(
      'refund at the provider',
      provided.refunds.map(({ metadata }) => metadata?.['refundId'] ?? ''),
    ),
    ...repeated(
      'transfer of item',
      provided.transfers.map(({ metadata }) => metadata['itemId'] ?? ''),
    ),
    ...repeated(
      'payout of item',
      provided.payouts.map(({ metadata }) => metadata?.['itemId'] ?? ''),
    ),
    ...known.items.flatMap((item) => itemDifferences(item, provided)),
    ...strays(known, provided),
  ]
}

function repeated(what: string, names: readonly string[]): string[] {
  const twice = names.filter((name, at) => name !== '' && names.indexOf(name) !== at)
  return twice.map((name) => `two of ${what} ${name}`)
}

/** The accounts of the ledger, computed again from what the provider says. */
function ledgerDifferences({ ledger, balances, items }: Known, provided: Provided): string[] {
  const { movements, charges, refunds, disputes, transfers } = provided
  const expected = new Map<string, number>()
  const add = (account: string, currency: string, amount: number) => {
    const name = `${account} ${currency.toUpperCase()}`
    expected.set(name, (expected.get(name) ?? 0) + amount)
  }
  for (const [currency, amount] of provided.balance) add('clearing', currency, amount)
  for (const { currency, fee } of movements) add('fees', currency, fee)
  for (const { currency, amount_captured } of charges) add('merchant', currency, -amount_captured)
  for (const { currency, amount, status } of refunds)
    if (status !== 'failed' && status !== 'canceled') add('merchant', currency, amount)
  for (const { currency, amount, status } of disputes)
    if (status !== 'won') add(status === 'lost' ? 'merchant' : 'disputes_held', currency, amount)
  for (const { currency, amount, amount_reversed } of transfers) add('float', currency, amount - amount_reversed)
  for (const { currency } of items) add('settlements_payable', currency, 0)
  const names = new Set([...expected.keys(), ...balances.keys()])
  const byAccount = [...names].flatMap((name) => {
    const [ours = 0, theirs = 0] = [balances.get(name), expected.get(name)]
    return ours === theirs ? [] : [`ledger has ${ours} in ${name}, and by the provider it is ${theirs}`]
  })
  const sums = [...provided.balance].flatMap(([currency, amount]) => {
    const moved = sum(movements.filter((each) => each.currency.toUpperCase() === currency).map(({ net }) => net))
    return moved === amount
      ? []
      : [`provider’s balance of ${amount} ${currency} isn’t the sum of its movements, ${moved}`]
  })
  const isProven = ledger.balanced && ledger.chained
  return [...byAccount, ...sums, ...(isProven ? [] : [`ledger isn’t in order: ${JSON.stringify(ledger)}`])]
}

function orderDifferences(order: SeenOrder, provided: Provided): string[] {
  const intents = new Set(order.payments.map(({ providerReference }) => providerReference))
  const captures = provided.charges.filter(
    ({ payment_intent, transfer_group, amount_captured }) =>
      amount_captured > 0 && (transfer_group === order.id || intents.has(idOf(payment_intent))),
  )
  const own = new Set(captures.map(({ id }) => id))
  const returned = provided.refunds.filter(({ charge }) => own.has(idOf(charge)))
  const disputed = provided.disputes.filter(({ charge }) => own.has(idOf(charge)))
  const left = returned.filter(({ status }) => status !== 'failed' && status !== 'canceled')
  const captured = sum(captures.map(({ amount_captured }) => amount_captured))
  const refunded = sum(left.filter(({ status }) => status === 'succeeded').map(({ amount }) => amount))
  const faults: string[] = []
  const expect = (what: string, ours: string | number | undefined, theirs: string | number | null) => {
    if (ours !== theirs)
      faults.push(
        `order ${order.id} has ${what} ${ours ?? 'nothing'}, and by the provider it is ${theirs ?? 'nothing'}`,
      )
  }
  if (captures.length > 1) faults.push(`order ${order.id} was charged ${captures.length} times`)
  if (captured > order.total) faults.push(`order ${order.id} was charged ${captured} of ${order.total}`)
  if (sum(left.map(({ amount }) => amount)) > captured) faults.push(`order ${order.id} was refunded too much`)
  expect('captured', order.captured, captured)
  expect('refunded', order.refunded, refunded)
  expect('authorized', order.authorized, 0)
  expect(
    'status',
    order.status,
    statusBy(
      order,
      captured,
      refunded,
      disputed.map(({ status }) => status),
    ),
  )
  for (const refund of order.refunds.filter(({ providerReference }) => providerReference === null))
    expect(`refund ${refund.id}`, refund.status, 'failed')
  for (const refund of returned) {
    const ours = order.refunds.filter(({ providerReference }) => providerReference === refund.id)
    expect(`refunds for ${refund.id}`, ours.length, 1)
    expect(`refund ${refund.id}`, ours[0]?.status, refund.status === 'canceled' ? 'cancelled' : refund.status)
    expect(`amount of ${refund.id}`, ours[0]?.amount, refund.amount)
  }
  for (const twice of repeated(
    'refund',
    order.refunds.map(({ note }) => note ?? ''),
  ))
    faults.push(`${order.id}: ${twice}`)
  expect(
    'disputes',
    order.disputes
      .map(({ providerReference }) => providerReference)
      .sort()
      .join(),
    disputed
      .map(({ id }) => id)
      .sort()
      .join(),
  )
  return faults
}

/** From the provider’s facts, by the requirement and not by our code. */
function statusBy(order: SeenOrder, captured: number, refunded: number, disputes: readonly string[]): string {
  if (disputes.includes('lost')) return 'lost'
  if (disputes.some((status) => status !== 'won')) return 'disputed'
  if (captured === 0) return order.status === 'expired' ? 'expired' : 'cancelled'
  return refunded === 0 ? 'paid' : refunded < captured ? 'partially_refunded' : 'refunded'
}

function itemDifferences(item: SeenItem, { transfers, payouts }: Provided): string[] {
  const transfer = transfers.find(({ metadata }) => metadata['itemId'] === item.id)
  const payout = payouts.find(({ metadata }) => metadata?.['itemId'] === item.id)
  const isBack = transfer?.reversed === true
  const expected =
    payout?.status === 'paid' && !isBack ? ['settled'] : transfer === undefined || isBack ? ['failed', 'returned'] : []
  return [
    ...(expected.includes(item.status)
      ? []
      : [
          `item ${item.id} is ${item.status}, with the transfer ${JSON.stringify(transfer)} and the payout ${JSON.stringify(payout)}`,
        ]),
    ...(transfer && transfer.amount !== item.amount ? [`item ${item.id} was paid ${transfer.amount}`] : []),
    ...(payout && payout.amount !== item.amount ? [`item ${item.id} was paid out ${payout.amount}`] : []),
  ]
}

/** Money of the provider that none of our rows is about. */
function strays({ orders, items }: Known, { charges, transfers }: Provided): string[] {
  const known = new Set(orders.map(({ id }) => id))
  const paid = new Set(items.map(({ id }) => id))
  return [
    ...charges.filter((one) => !known.has(one.transfer_group ?? '')).map(({ id }) => `charge ${id} has no order`),
    ...transfers.filter((one) => !paid.has(one.metadata['itemId'] ?? '')).map(({ id }) => `transfer ${id} has no item`),
  ]
}
