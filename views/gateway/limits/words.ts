import type { Period, SpendLimit } from '#gateway/types'
import { familyNames, periodNames as adverbs } from '../words.ts'

export const periodNames: Record<Period, string> = {
  hour: 'Hour',
  day: 'Day',
  week: 'Week',
  month: 'Month',
  total: 'Total (never resets)',
}

const adjectiveOf = (period: Period): string => (period === 'total' ? 'total' : adverbs[period])

type Scope = Pick<SpendLimit, 'scope_type' | 'scope_value' | 'scopeName'>
type Named = Scope & Pick<SpendLimit, 'family' | 'period'>

export const scopeLabel = ({ scope_type: type, scope_value: value, scopeName }: Scope): string =>
  type === 'application' ? (scopeName ?? value) : type === 'organization' ? 'Organization' : 'Platform'

/** Such as `AI, daily`. */
export const coverage = ({ family, period }: Named): string =>
  `${family === null ? 'Everything' : familyNames[family]}, ${adjectiveOf(period)}`

/** Such as `The daily AI budget of mail`. */
export const budgetName = (limit: Named): string => {
  const of = limit.family === null ? '' : `${familyNames[limit.family]} `
  const whose = limit.scope_type === 'application' ? scopeLabel(limit) : `the ${limit.scope_type}`
  return `${adjectiveOf(limit.period)} ${of}budget of ${whose}`
}
