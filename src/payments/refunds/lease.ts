import type { PaymentsWork } from '../work.ts'

/** When a refund that is being sent belongs to no server any more. Longer than a call of the gateway can take. */
export const leaseEnd = ({ config, now }: Pick<PaymentsWork, 'config' | 'now'>): Date =>
  new Date(now().getTime() + 3 * config.PAYMENTS_TIMEOUT_MS + 15_000)
