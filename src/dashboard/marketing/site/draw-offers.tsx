import { listPackages } from '#payments'
import type { Call } from '#lib/call.ts'
import { Currency, displayMoney } from '#lib/money.ts'
import type { PackageOffer } from '#views/dashboard/marketing/pricing.tsx'

/** Empty where payments run in another process, or have no prices. */
export async function readOffers({ ask, servicesHere }: Call): Promise<PackageOffer[]> {
  if (!servicesHere.has('platform-pay')) return []
  const { items } = await ask(listPackages, {})
  return items
    .filter(({ currency }) => currency === 'EUR')
    .map(({ unitAmount, ...offer }) => ({
      package: offer.package,
      price: displayMoney({ minor: BigInt(unitAmount), currency: Currency.parse(offer.currency) }),
    }))
}
