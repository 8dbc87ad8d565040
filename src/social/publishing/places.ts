import { pause } from './pause.ts'

/** Posts of one host that this process sends at a time. */
export const mostPerHost = 32
const mostInAll = 256

/** The right of one post to be sent now. */
export interface Place {
  /** Gives the place to others for so many milliseconds, and comes back when there is one again. */
  rest(ms: number, stopping: AbortSignal): Promise<void>
  leave(): void
}

/**
 * How many posts this process sends at a time. Counted per host, so that one that doesn't answer holds up no other; a
 * post that only waits for its next try takes none.
 */
export class Places {
  readonly #taken = new Map<string, number>()
  /** Posts that go on after a pause and found their host full, longest waiting first. */
  readonly #returning: { host: string; enter: () => void }[] = []
  readonly #onRoom: () => void

  /** `onRoom` is called when a post goes to rest that had the last place. */
  constructor(onRoom: () => void) {
    this.#onRoom = onRoom
  }

  /** Free places in all, at least 0. */
  free(): number {
    const taken = [...this.#taken.values()].reduce((sum, count) => sum + count, 0)
    return Math.max(0, mostInAll - taken)
  }

  /** Free places at each host where some are taken. */
  freeByHost(): Record<string, number> {
    return Object.fromEntries([...this.#taken].map(([host, taken]) => [host, mostPerHost - taken]))
  }

  take(host: string): Place {
    let holds = true
    this.#add(host, 1)
    const leave = () => {
      if (holds) this.#give(host)
      holds = false
    }
    return {
      leave,
      rest: async (ms, stopping) => {
        const wasFull = this.free() === 0 || !this.#hasRoom(host)
        leave()
        if (wasFull) this.#onRoom()
        await pause(ms, stopping)
        if (stopping.aborted) return
        await this.#retake(host)
        holds = true
      },
    }
  }

  #give(host: string): void {
    this.#add(host, -1)
    const next = this.#returning.findIndex((one) => this.#hasRoom(one.host))
    for (const { host: free, enter } of next < 0 ? [] : this.#returning.splice(next, 1)) {
      this.#add(free, 1)
      enter()
    }
  }

  #retake(host: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    if (this.#hasRoom(host)) {
      this.#add(host, 1)
      resolve()
    } else this.#returning.push({ host, enter: resolve })
    return promise
  }

  #hasRoom(host: string): boolean {
    return (this.#taken.get(host) ?? 0) < mostPerHost
  }

  #add(host: string, change: number): void {
    const count = (this.#taken.get(host) ?? 0) + change
    if (count > 0) this.#taken.set(host, count)
    else this.#taken.delete(host)
  }
}
