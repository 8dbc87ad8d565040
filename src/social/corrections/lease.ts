/** Of one step: the request, the renewal of tokens that the network refuses, and the request with the new ones. */
const stepMs = (timeoutMs: number): number => 3 * timeoutMs

/** Enough to send a correction and to read it back. Both are repeated when the first two steps were quick. */
const leaseMs = (timeoutMs: number): number => 2 * stepMs(timeoutMs)

/** For the transaction that stores the outcome. */
const settlingMs = 30_000

/** When no server can still be sending a correction, by its start. */
export const secondsUntilForgotten = (timeoutMs: number): number => Math.ceil((leaseMs(timeoutMs) + settlingMs) / 1_000)

/** Whether a step that begins now ends before another server can settle the correction. */
export const hasTimeForStep = (startedAt: number, timeoutMs: number): boolean =>
  performance.now() + stepMs(timeoutMs) <= startedAt + leaseMs(timeoutMs)
