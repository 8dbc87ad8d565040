import { scaleTime } from '../../support/time-scale.ts'
import type { Chance } from './random.ts'
import type { Response, Shop } from './shops.ts'

/** Batches of payouts, once there is money: sent twice at once, and once more with another body. */
export async function settleBatches(
  chance: Chance,
  shop: Shop,
  { name, callbackUrl }: { name: string; callbackUrl: string },
): Promise<void> {
  const funds = await readFunds(shop)
  for (const { currency, amount } of funds.slice(0, 2)) {
    const batch = draftBatch(chance, { batchId: `${name}-${currency}`, currency, callbackUrl, available: amount })
    const send = (body: object) => shop.call(chance, 'POST /api/settlements', { body })
    await untilTaken(() => Promise.all([send(batch), send(batch)]))
    const other = await untilTaken(async () => [await send({ ...batch, callbackUrl: `${callbackUrl}?other` })])
    if (other.some((response) => response?.status === 202))
      shop.faults.push(`Batch ${batch.batchId} was taken with two bodies`)
  }
}

/** What the account has, once it has enough of a currency. */
async function readFunds(shop: Shop): Promise<{ currency: string; amount: number }[]> {
  const deadline = Date.now() + scaleTime(15_000)
  while (Date.now() < deadline) {
    const balance = await shop.stripe.balance.retrieve().catch(() => null)
    const enough = balance?.available.filter(({ amount }) => amount >= 1_000) ?? []
    if (enough.length > 0) return enough.map(({ currency, amount }) => ({ currency: currency.toUpperCase(), amount }))
    await Bun.sleep(250)
  }
  return []
}

interface Wanted {
  batchId: string
  currency: string
  callbackUrl: string
  available: number
}

/** Sometimes for more than there is. */
function draftBatch(chance: Chance, { available, ...batch }: Wanted) {
  const count = 1 + chance.upTo(3)
  const most = chance.happens(0.15) ? available * 3 : available * 0.4
  const amount = Math.max(10, Math.floor(most / count / 10) * 10)
  const items = Array.from({ length: count }, (_, at) => ({
    reference: `item-${at + 1}`,
    recipient: `acct_${batch.batchId.replaceAll('-', '')}${chance.upTo(2)}`,
    amount,
  }))
  return { ...batch, items, controlSum: count * amount }
}

async function untilTaken(send: () => Promise<(Response | null)[]>): Promise<(Response | null)[]> {
  for (let tries = 0; tries < 8; tries += 1) {
    const responses = await send()
    if (responses.some((response) => response && response.status < 500)) return responses
    await Bun.sleep(200)
  }
  return []
}
