import type { Provided } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import type { Clock } from '#lib/time.ts'

/** What operations and jobs alike settle checkouts with. `db` is no transaction. */
export type CheckoutWork = Pick<Provided, 'identity' | 'subscriptions' | 'config' | 'mail'> & {
  readonly db: Database
  readonly now: Clock
}
