import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { localDay } from '#lib/time.ts'
import type { ReportStep } from '../contract/reports.ts'
import { reportTimeZone } from './merchants.ts'
import { reportRange } from './range.ts'

interface Given {
  merchantId?: string | undefined
  from?: string | undefined
  to?: string | undefined
  by?: ReportStep | undefined
}

/** By method there are no sums of days: each movement is read. */
const longestByMethod = 366

/** Whose report it is, and of which days. @throws {Problem} 404, 422 */
export async function scopeOf({ db, actor, now, input }: Pick<Call<Given, Actor>, 'db' | 'actor' | 'now' | 'input'>) {
  const organizationId = organizationOf(actor, 'reports:read')
  const timeZone = await reportTimeZone(db, organizationId, input.merchantId)
  const days = reportRange(input, {
    now: now(),
    timeZone,
    ...(input.by === 'method' && { longest: longestByMethod }),
  })
  return { organizationId, timeZone, today: localDay(now(), timeZone), ...days }
}
