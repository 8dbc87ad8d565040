import { addressOf } from '#views/ui/live.ts'

interface RangesProps {
  /** The path of the page. */
  path: string
  query: object
  /** The last day. */
  to: string
  /** How many are shown. */
  days: number
}

const ranges = [7, 30, 90]

export const Ranges = ({ path, query, to, days }: RangesProps) => (
  <nav class="segments" aria-label="Days">
    {ranges.map((count) => (
      <a
        href={addressOf(path, { ...query, from: dayBefore(to, count - 1) })}
        aria-current={days === count ? 'true' : undefined}
        safe
      >
        {`${count} days`}
      </a>
    ))}
  </nav>
)

const dayBefore = (day: string, days: number): string => Temporal.PlainDate.from(day).subtract({ days }).toString()

interface CurrenciesProps {
  path: string
  query: object
  currencies: readonly string[]
  chosen: string
}

/** Nothing while there is only one. */
export const Currencies = ({ path, query, currencies, chosen }: CurrenciesProps) =>
  currencies.length > 1 ? (
    <nav class="segments" aria-label="Currency">
      {currencies.map((code) => (
        <a
          href={addressOf(path, { ...query, currency: code })}
          aria-current={code === chosen ? 'true' : undefined}
          safe
        >
          {code}
        </a>
      ))}
    </nav>
  ) : (
    <></>
  )
