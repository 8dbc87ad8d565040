/** The provider forgets an idempotency key 24 hours after its first request. */
const knownMs = 23 * 60 * 60_000

/** Whether a request that was first sent then can be repeated: later, the same key would do it a second time. */
export const isKeyKnown = (sentAt: Date, now: Date): boolean => now.getTime() - sentAt.getTime() < knownMs
