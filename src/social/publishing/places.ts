import { pause } from './pause.ts'

/** Posts of one host that this process sends at a time. */
export const mostPerHost = 32
const mostInAll = 256
/** Posts that this process has claimed, those that wait for their next try among them: of all hosts, and of one. */
const mostUnderWay = 1_024
const mostUnderWayPerHost = 256

/** The right of one post to be sent now. */
export interface Place {
  /** Gives the place to others for so many milliseconds, and comes back when there is one again. */
  rest(ms: number, stopping: AbortSignal): Promise<void>
  leave(): void
}

/**
 * How many posts this process sends at a time. Counted per host, so that one that doesn't answer holds up no other. A
 * post that only waits for its next try takes no place, and counts towards a larger bound of posts under way.
 */
export class Places {
  readonly #taken = new Map<string, number>()
  /** Posts with a place and posts that rest, by host. */
  readonly #underWay = new Map<string, number>()
  /** Posts that go on after a pause and found their host full, longest waiting first. */
  readonly #returning: { host: string; enter: () => void }[] = []
  readonly #onRoom: () => void

  /** `onRoom` is called when a post goes to rest that had the last place. */
  constructor(onRoom: () => void) {
    this.#onRoom = onRoom
  }

  /** How many more posts can be claimed in all, at least 0. */
  free(): number {
    return Math.max(0, Math.min(mostInAll - sumOf(this.#taken), mostUnderWay - sumOf(this.#underWay)))
  }

  /** How many more posts can be claimed at each host that has some under way, at least 0. */
  freeByHost(): Record<string, number> {
    return Object.fromEntries([...this.#underWay.keys()].map((host) => [host, this.#freeAt(host)]))
  }

  take(host: string): Place {
    let holds = true
    let isUnderWay = true
    add(this.#taken, host, 1)
    add(this.#underWay, host, 1)
    const give = () => {
      if (holds) this.#give(host)
      holds = false
    }
    return {
      leave: () => {
        give()
        if (isUnderWay) add(this.#underWay, host, -1)
        isUnderWay = false
      },
      rest: async (ms, stopping) => {
        const wasFull = this.free() === 0 || this.#freeAt(host) === 0
        give()
        if (wasFull && this.free() > 0 && this.#freeAt(host) > 0) this.#onRoom()
        await pause(ms, stopping)
        if (stopping.aborted) return
        await this.#retake(host)
        holds = true
      },
    }
  }

  #give(host: string): void {
    add(this.#taken, host, -1)
    const next = this.#returning.findIndex((one) => this.#hasRoom(one.host))
    for (const { host: free, enter } of next < 0 ? [] : this.#returning.splice(next, 1)) {
      add(this.#taken, free, 1)
      enter()
    }
  }

  #retake(host: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    if (this.#hasRoom(host)) {
      add(this.#taken, host, 1)
      resolve()
    } else this.#returning.push({ host, enter: resolve })
    return promise
  }

  #hasRoom(host: string): boolean {
    return (this.#taken.get(host) ?? 0) < mostPerHost
  }

  #freeAt(host: string): number {
    const taken = this.#taken.get(host) ?? 0
    return Math.max(0, Math.min(mostPerHost - taken, mostUnderWayPerHost - (this.#underWay.get(host) ?? 0)))
  }
}

const sumOf = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0)

function add(counts: Map<string, number>, host: string, change: number): void {
  const count = (counts.get(host) ?? 0) + change
  if (count > 0) counts.set(host, count)
  else counts.delete(host)
}
