import type { PaymentsWork } from '../work.ts'

/** How long a refund that is being sent belongs to its server. Longer than a call of the gateway can take. */
const leaseMs = ({ config }: Pick<PaymentsWork, 'config'>): number => 3 * config.PAYMENTS_TIMEOUT_MS + 15_000

export const leaseEnd = (work: Pick<PaymentsWork, 'config' | 'now'>): Date =>
  new Date(work.now().getTime() + leaseMs(work))

/** Leases that began by then have ended. */
export const leasedSince = (work: Pick<PaymentsWork, 'config' | 'now'>): Date =>
  new Date(work.now().getTime() - leaseMs(work))

export const isLeased = (work: Pick<PaymentsWork, 'config' | 'now'>, since: Date): boolean => since > leasedSince(work)
