/** Reads of one key at once: one, and one that must not use what the first has read already. */
const maxAtOnce = 2

interface Lane<Result> {
  started: number
  /** The number of the last one that has a result. */
  settled: number
  running: Promise<Result>[]
  /** Begins when one of those under way ends. */
  next: Promise<Result> | undefined
}

/** Whether no read that began later has a result already. */
export type Claim = () => boolean

export interface Flights<Result> {
  /**
   * Shares a read that is under way. With `fromNow` only one that begins after this call, so it sees every change until
   * now. `read` never rejects.
   */
  share(key: string, read: (claim: Claim) => Promise<Result>, options: { fromNow: boolean }): Promise<Result>
}

export function createFlights<Result>(): Flights<Result> {
  const lanes = new Map<string, Lane<Result>>()

  const begin = (key: string, read: (claim: Claim) => Promise<Result>): Promise<Result> => {
    const lane = lanes.get(key) ?? { started: 0, settled: 0, running: [], next: undefined }
    lanes.set(key, lane)
    const number = ++lane.started
    const claim = () => {
      const isLatest = number > lane.settled
      if (isLatest) lane.settled = number
      return isLatest
    }
    const flight = read(claim).finally(() => {
      lane.running = lane.running.filter((each) => each !== flight)
      if (lane.running.length === 0 && !lane.next) lanes.delete(key)
    })
    lane.running.push(flight)
    return flight
  }

  return {
    share: (key, read, { fromNow }) => {
      const lane = lanes.get(key)
      const last = lane?.running.at(-1)
      if (!lane || !last) return begin(key, read)
      if (!fromNow) return last
      if (lane.running.length < maxAtOnce) return begin(key, read)
      lane.next ??= Promise.race(lane.running).then(() => {
        lane.next = undefined
        return begin(key, read)
      })
      return lane.next
    },
  }
}
