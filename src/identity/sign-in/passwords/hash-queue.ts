import { siteOf } from '#lib/address.ts'
import type { Call } from '#lib/call.ts'
import { retryLater } from '#lib/errors.ts'

export interface Waiter {
  lane: 'known' | 'strangers'
  /** The person, or the network of an unknown caller; null for this process. */
  who: string | null
}

/** A person with a known device, a session or a mailed link. */
export const knownCaller = (who: string): Waiter => ({ lane: 'known', who })

export const unknownCaller = ({ request: { address } }: Pick<Call, 'request'>): Waiter => ({
  lane: 'strangers',
  who: address === null ? null : siteOf(address),
})

/** Each hash takes 19 MB and a core. */
const maxRunning = 2
/** Per lane. */
const maxWaiting = 64
/** Waiting and running hashes of one person, or of one network in the lane of strangers. */
const maxPerCaller = { known: 4, strangers: 16 }

let running = 0
const lanes: Record<Waiter['lane'], (() => void)[]> = { known: [], strangers: [] }
const inFlight = new Map<string, number>()
let last: Waiter['lane'] = 'strangers'

/** With waiters in both lanes they take turns, so that strangers can't lock out users. @throws {Problem} 503 */
export async function runInQueue<Result>({ lane, who }: Waiter, work: () => Promise<Result>): Promise<Result> {
  const name = who && `${lane} ${who}`
  if (name) reserve(name, maxPerCaller[lane])
  try {
    if (running >= maxRunning) await waitForSlot(lane)
    else running += 1
    // `then` also catches a `work` that throws synchronously.
    return await Promise.resolve().then(work).finally(startNext)
  } finally {
    if (name) release(name)
  }
}

function reserve(name: string, max: number): void {
  const already = inFlight.get(name) ?? 0
  if (already >= max) throw busy()
  inFlight.set(name, already + 1)
}

function release(name: string): void {
  const others = (inFlight.get(name) ?? 1) - 1
  if (others === 0) inFlight.delete(name)
  else inFlight.set(name, others)
}

function waitForSlot(lane: Waiter['lane']): Promise<void> {
  if (lanes[lane].length >= maxWaiting) throw busy()
  return new Promise((resolve) => lanes[lane].push(resolve))
}

/** Gives the slot to the lane that didn't have the last one, unless no caller waits there. */
function startNext(): void {
  const other = last === 'known' ? 'strangers' : 'known'
  const lane = lanes[other].length > 0 ? other : last
  const next = lanes[lane].shift()
  last = lane
  if (next) next()
  else running -= 1
}

const busy = () =>
  retryLater(503, 'busy', 'Too many people are signing in right now. Try again in a few seconds.', {
    retryAfter: 3,
  })
