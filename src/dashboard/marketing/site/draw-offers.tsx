import { listPackages } from '#payments'
import type { Call } from '#lib/call.ts'
import { Currency, displayMoney } from '#lib/money.ts'
import type { PackageOffer } from '#views/dashboard/marketing/pricing.tsx'

/** Empty where payments run in another process, or have no prices. */
export async function readOffers({ ask, servicesHere }: Call, seats: number | undefined): Promise<PackageOffer[]> {
  if (!servicesHere.has('platform-pay')) return []
  const { items } = await ask(listPackages, {})
  return items
    .filter(({ currency }) => currency === 'EUR')
    .map((offer) => {
      const currency = Currency.parse(offer.currency)
      const priceOf = (count: number) => displayMoney({ minor: BigInt(offer.unitAmount) * BigInt(count), currency })
      return { package: offer.package, price: priceOf(1), total: seats === undefined ? null : priceOf(seats) }
    })
}
