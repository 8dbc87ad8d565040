import { networkOf, siteOf } from '#lib/address.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { retryLater } from '#lib/errors.ts'
import { countWithinQuota } from '#lib/limits.ts'

const hourMs = 60 * 60_000
/** What the networks of a site, and all networks together, can send, as multiples. */
const multiples = { site: 5, everyone: 50 }

type Form = 'contact' | 'feedback' | 'waitlist' | 'demo' | 'checkout'

/**
 * @throws {Problem} 429 beyond `RATE_LIMIT_FORMS` an hour from one network, five times as many from the /48 of IPv6
 * networks, and fifty times as many in all
 */
export async function countForm(
  { request: { address }, config: { RATE_LIMIT_FORMS: max } }: Pick<Call, 'request' | 'config'>,
  db: Database,
  form: Form,
): Promise<void> {
  const network = address && networkOf(address)
  if (!network || max === 0) return
  const count = (subject: string, most: number) =>
    countWithinQuota(db, { name: `forms-${form}`, subject, max: most, windowMs: hourMs })
  const site = siteOf(address)
  if (!(await count(network, max))) throw tooMany('your network')
  if (site !== network && !(await count(site, max * multiples.site))) throw tooMany('your network')
  if (!(await count('everyone', max * multiples.everyone))) throw tooMany('all visitors together')
}

const tooMany = (source: string) =>
  retryLater(
    429,
    'too_many_messages',
    `Nothing was sent: the form was used too often by ${source} in the last hour. Try again in an hour.`,
    { retryAfter: 3600, nothingDone: true },
  )
