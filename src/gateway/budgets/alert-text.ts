import { formatNanoUsd } from '#lib/money.ts'
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

/** Such as `daily ai budget of application mail`. */
export function describeLimit({
  scopeType,
  scopeValue,
  family,
  period,
}: Pick<Limit, 'scopeType' | 'scopeValue' | 'family' | 'period'>): string {
  const whose = scopeType === 'application' ? `application ${scopeValue}` : `the ${scopeType}`
  return `${periodNames[period]} ${family === null ? '' : `${family.replace('_', ' ')} `}budget of ${whose}`
}

/** At least cents; all digits of smaller amounts. */
export const dollars = (nanoUsd: bigint): string => {
  const [whole = '0', fraction = ''] = formatNanoUsd(nanoUsd).split('.')
  return `$${whole}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`
}
