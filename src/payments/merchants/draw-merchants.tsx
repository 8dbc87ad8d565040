import type { Call } from '#lib/call.ts'
import { MerchantCards } from '#views/payments/merchants/cards.tsx'
import type { MerchantFilter, MerchantList, VenueList, VenueSales } from '../contract/merchants.ts'
import { getMerchantSales } from './sales.operations.ts'
import { listVenues } from './venues.operations.tsx'

const venuesOfEach = 20

interface Parts {
  /** Of each merchant, in their order; none without the permission. */
  venues: VenueList[]
  sales: VenueSales | null
}

/** What the caller may see beside merchants. */
export async function askParts({ ask }: Pick<Call, 'ask'>, { items, can }: MerchantList): Promise<Parts> {
  const [venues, sales] = await Promise.all([
    can.readVenues ? Promise.all(items.map(({ id }) => ask(listVenues, { merchantId: id, limit: venuesOfEach }))) : [],
    can.readSales ? ask(getMerchantSales, {}) : null,
  ])
  return { venues, sales }
}

export const drawMerchants = async (call: Pick<Call, 'ask'>, list: MerchantList, query: MerchantFilter) => (
  <MerchantCards list={list} query={query} {...await askParts(call, list)} />
)
