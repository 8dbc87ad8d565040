import { pause } from './pause.ts'

/** Posts that this process sends at the same time. */
export const mostPerHost = 32
/** Leaves three quarters of all places to other organizations, whatever the number of hosts. */
export const mostPerOrganization = 64
const mostInAll = 256
/** Posts that this process has claimed, including those that wait for their next attempt. */
const mostUnderWay = { inAll: 1_024, perHost: 256, perOrganization: 256 }

/** The destination and owner of a post, by which places are counted. */
interface Origin {
  host: string
  organizationId: string
}

/** Permission to send one post now. */
export interface Place {
  /** Releases the place for so many milliseconds, and resolves when there is one again. */
  rest(ms: number, stopping: AbortSignal): Promise<void>
  leave(): void
}

/**
 * Limits the posts that this process sends at the same time: per host, so that one that doesn't respond doesn't delay
 * others, and per organization, so that one with many such hosts doesn't either. A post that waits for its next attempt
 * has no place, and counts towards a larger limit of claimed posts.
 */
export class Places {
  readonly #hosts = new Counts(mostPerHost, mostUnderWay.perHost)
  readonly #organizations = new Counts(mostPerOrganization, mostUnderWay.perOrganization)
  #taken = 0
  #underWay = 0
  /** Posts that wait for a place after a pause, in order of arrival. */
  readonly #returning: { origin: Origin; enter: () => void }[] = []
  readonly #onRoom: () => void

  /** `onRoom` is called when a post releases the last place. */
  constructor(onRoom: () => void) {
    this.#onRoom = onRoom
  }

  /** Number of posts that can still be claimed in all, at least 0. */
  free(): number {
    return Math.max(0, Math.min(mostInAll - this.#taken, mostUnderWay.inAll - this.#underWay))
  }

  /** Number of posts that can still be claimed, at least 0, for each host with claimed posts. */
  freeByHost(): Record<string, number> {
    return this.#hosts.free()
  }

  /** The same for organizations; `mostPerOrganization` for all others. */
  freeByOrganization(): Record<string, number> {
    return this.#organizations.free()
  }

  take(origin: Origin): Place {
    let holds = true
    let isUnderWay = true
    this.#enter(origin)
    this.#addUnderWay(origin, 1)
    const give = () => {
      if (holds) this.#give(origin)
      holds = false
    }
    return {
      leave: () => {
        give()
        if (isUnderWay) this.#addUnderWay(origin, -1)
        isUnderWay = false
      },
      rest: async (ms, stopping) => {
        const wasFull = !this.#canClaim(origin)
        give()
        if (wasFull && this.#canClaim(origin)) this.#onRoom()
        await pause(ms, stopping)
        if (stopping.aborted) return
        await this.#retake(origin)
        holds = true
      },
    }
  }

  #enter({ host, organizationId }: Origin): void {
    this.#taken += 1
    this.#hosts.addTaken(host, 1)
    this.#organizations.addTaken(organizationId, 1)
  }

  #give({ host, organizationId }: Origin): void {
    this.#taken -= 1
    this.#hosts.addTaken(host, -1)
    this.#organizations.addTaken(organizationId, -1)
    const next = this.#returning.findIndex(({ origin }) => this.#hasPlace(origin))
    for (const { origin, enter } of next < 0 ? [] : this.#returning.splice(next, 1)) {
      this.#enter(origin)
      enter()
    }
  }

  #retake(origin: Origin): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    if (this.#hasPlace(origin)) {
      this.#enter(origin)
      resolve()
    } else this.#returning.push({ origin, enter: resolve })
    return promise
  }

  #addUnderWay({ host, organizationId }: Origin, change: number): void {
    this.#underWay += change
    this.#hosts.addUnderWay(host, change)
    this.#organizations.addUnderWay(organizationId, change)
  }

  #hasPlace({ host, organizationId }: Origin): boolean {
    return this.#hosts.hasPlace(host) && this.#organizations.hasPlace(organizationId)
  }

  #canClaim({ host, organizationId }: Origin): boolean {
    return this.free() > 0 && this.#hosts.freeAt(host) > 0 && this.#organizations.freeAt(organizationId) > 0
  }
}

/** Posts with a place, and posts under way (with a place or at rest), by one of their properties. */
class Counts {
  readonly #taken = new Map<string, number>()
  readonly #underWay = new Map<string, number>()
  readonly #mostTaken: number
  readonly #mostUnderWay: number

  constructor(taken: number, underWay: number) {
    this.#mostTaken = taken
    this.#mostUnderWay = underWay
  }

  addTaken(key: string, change: number): void {
    add(this.#taken, key, change)
  }

  addUnderWay(key: string, change: number): void {
    add(this.#underWay, key, change)
  }

  hasPlace(key: string): boolean {
    return (this.#taken.get(key) ?? 0) < this.#mostTaken
  }

  freeAt(key: string): number {
    const [taken, underWay] = [this.#taken.get(key) ?? 0, this.#underWay.get(key) ?? 0]
    return Math.max(0, Math.min(this.#mostTaken - taken, this.#mostUnderWay - underWay))
  }

  free(): Record<string, number> {
    return Object.fromEntries([...this.#underWay.keys()].map((key) => [key, this.freeAt(key)]))
  }
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}
