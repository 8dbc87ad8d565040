import { conflict, type Problem } from '#lib/errors.ts'
import type { PaymentsWork } from '../../work.ts'
import type { SubscriptionRow } from '../rows.ts'

type SendingWork = Pick<PaymentsWork, 'config' | 'now'>

/** Longer than a call of the gateway can take. */
const leaseMs = ({ config }: SendingWork): number => 3 * config.PAYMENTS_TIMEOUT_MS + 15_000

/** Whether a server can still be waiting for what its creation made at the provider. */
export const isBeingSent = (
  work: SendingWork,
  { sentAt, checkoutSessionId, providerSubscriptionId }: SubscriptionRow,
): boolean =>
  checkoutSessionId === null &&
  providerSubscriptionId === null &&
  sentAt !== null &&
  work.now().getTime() - sentAt.getTime() < leaseMs(work)

export const checkoutBusy = (): Problem =>
  conflict('subscription_busy', 'Another checkout of this organization is in progress. Try again in a moment.')
