import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { localDay } from '#lib/time.ts'
import { reportTimeZone } from './merchants.ts'
import { reportRange } from './range.ts'

interface Given {
  merchantId?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/** Whose report it is, and of which days. @throws {Problem} 404, 422 */
export async function scopeOf({ db, actor, now, input }: Pick<Call<Given, Actor>, 'db' | 'actor' | 'now' | 'input'>) {
  const organizationId = organizationOf(actor, 'reports:read')
  const timeZone = await reportTimeZone(db, organizationId, input.merchantId)
  return { organizationId, timeZone, today: localDay(now(), timeZone), ...reportRange(input, { now: now(), timeZone }) }
}
