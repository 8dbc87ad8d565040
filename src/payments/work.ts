import type { Provided } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import type { Clock } from '#lib/time.ts'

/** What news of the provider is read and applied with, in operations and jobs alike. `db` is no transaction. */
export type PaymentsWork = Pick<
  Provided,
  'gateway' | 'config' | 'events' | 'queue' | 'log' | 'mail' | 'dashboard' | 'identity'
> & {
  readonly db: Database
  readonly now: Clock
}

/**
 * When an unclear or open object is looked at again, after `checks` looks; null when people have to look.
 *
 * @param repeat Whether the last delay is repeated without end
 */
export function nextCheckOf(
  { config, now }: Pick<PaymentsWork, 'config' | 'now'>,
  checks: number,
  { repeat = false } = {},
): Date | null {
  const delays = config.PAYMENTS_SWEEP_S
  const seconds = delays[checks] ?? (repeat ? delays.at(-1) : undefined)
  return seconds === undefined ? null : new Date(now().getTime() + seconds * 1_000)
}
