import { formatNanoUsd, scaleUnits } from '#lib/money.ts'
import type { Limit } from './limit.ts'

export const alertCause = (limitId: string): string => `gateway.limit:${limitId}`

export const consequences: Record<Limit['mode'], string> = {
  hard: ' Requests are refused until the budget resets or the limit is raised.',
  soft: ' Requests still pass.',
  observe: ' Requests still pass.',
}

export const periodNames: Record<Limit['period'], string> = {
  hour: 'hourly',
  day: 'daily',
  week: 'weekly',
  month: 'monthly',
  total: 'total',
}

/** Such as `daily AI budget of application mail`. */
export function describeLimit({
  scopeType,
  scopeValue,
  family,
  period,
}: Pick<Limit, 'scopeType' | 'scopeValue' | 'family' | 'period'>): string {
  const whose = scopeType === 'application' ? `application ${scopeValue}` : `the ${scopeType}`
  return `${periodNames[period]} ${family === null ? '' : `${familyName(family)} `}budget of ${whose}`
}

const familyName = (family: string): string => (family === 'ai' ? 'AI' : family.replace('_', ' '))

/** At least cents; all digits of smaller amounts. */
export const dollars = (nanoUsd: bigint): string => {
  const [whole = '0', fraction = ''] = formatNanoUsd(nanoUsd).split('.')
  return `$${whole}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`
}

const cent = 10_000_000n

/** For people: rounded to cents, or to four decimal places below 10 cents. */
export function roundedDollars(nanoUsd: bigint): string {
  const unit = nanoUsd < 10n * cent ? cent / 100n : cent
  if (nanoUsd > 0n && nanoUsd < unit) return `<${dollars(unit)}`
  return dollars(scaleUnits(nanoUsd, 1n, unit) * unit)
}
