import { pause } from './pause.ts'

/** Posts that this process sends at the same time. */
export const mostPerHost = 32
/** Leaves three quarters of all places to other organizations, whatever the number of hosts. */
export const mostPerOrganization = 64
/** Places of a host for each organization, which has more only while as many stay free for others. */
export const share = mostPerHost / 4
const mostInAll = 256
/** Posts that this process has claimed, including those that wait for their next attempt. */
const mostUnderWay = { inAll: 1_024, perHost: 256, perOrganization: 256 }

/** The destination and owner of a post, by which places are counted. */
interface Origin {
  host: string
  organizationId: string
}

/** Name of an organization's places at a host. */
const shareOf = ({ host, organizationId }: Origin): string => `${host} ${organizationId}`

/** Permission to send one post now. */
export interface Place {
  /** Releases the place for so many milliseconds, and resolves when there is one again. */
  rest(ms: number, stopping: AbortSignal): Promise<void>
  leave(): void
}

/**
 * Limits the posts that this process sends at the same time: per host, so that one that doesn't respond doesn't delay
 * others, and per organization, so that one with many such hosts doesn't either. A quarter of a host's places is for
 * organizations that have less than a quarter. A post that waits for its next attempt has no place, and counts towards a
 * larger limit of claimed posts.
 */
export class Places {
  readonly #hosts = new Counts(mostPerHost, mostUnderWay.perHost)
  readonly #organizations = new Counts(mostPerOrganization, mostUnderWay.perOrganization)
  readonly #shares = new Counts(share, Infinity)
  #taken = 0
  #underWay = 0
  /** Posts that wait for a place after a pause, in order of arrival. */
  readonly #returning: { origin: Origin; enter: () => void }[] = []
  readonly #onRoom: () => void

  /** `onRoom` is called when a claimed post releases its place for a while. */
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

  /** Number of places that an organization has at a host, by `host organizationId`. */
  takenByShare(): Record<string, number> {
    return this.#shares.taken()
  }

  take(origin: Origin): Place {
    let holds = true
    let isUnderWay = true
    this.#addTaken(origin, 1)
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
        give()
        this.#onRoom()
        await pause(ms, stopping)
        if (stopping.aborted) return
        await this.#retake(origin)
        holds = true
      },
    }
  }

  #give(origin: Origin): void {
    this.#addTaken(origin, -1)
    // The place is of a host and of an organization: a post that waits for each can fit.
    for (;;) {
      const next = this.#returning.findIndex((waiting) => this.#hasPlace(waiting.origin))
      const [first] = next < 0 ? [] : this.#returning.splice(next, 1)
      if (!first) return
      this.#addTaken(first.origin, 1)
      first.enter()
    }
  }

  #addTaken(origin: Origin, change: number): void {
    this.#taken += change
    this.#hosts.addTaken(origin.host, change)
    this.#organizations.addTaken(origin.organizationId, change)
    this.#shares.addTaken(shareOf(origin), change)
  }

  #retake(origin: Origin): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    if (this.#hasPlace(origin)) {
      this.#addTaken(origin, 1)
      resolve()
    } else this.#returning.push({ origin, enter: resolve })
    return promise
  }

  #addUnderWay({ host, organizationId }: Origin, change: number): void {
    this.#underWay += change
    this.#hosts.addUnderWay(host, change)
    this.#organizations.addUnderWay(organizationId, change)
  }

  #hasPlace(origin: Origin): boolean {
    const freeAtHost = this.#hosts.placesAt(origin.host)
    if (freeAtHost === 0 || this.#organizations.placesAt(origin.organizationId) === 0) return false
    return this.#shares.placesAt(shareOf(origin)) > 0 || freeAtHost > share
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

  /** Number of free places, at least 0. */
  placesAt(key: string): number {
    return Math.max(0, this.#mostTaken - (this.#taken.get(key) ?? 0))
  }

  /** Number of posts that can still be claimed, at least 0, for each key with claimed posts. */
  free(): Record<string, number> {
    const freeAt = (key: string, underWay: number) => Math.min(this.placesAt(key), this.#mostUnderWay - underWay)
    return Object.fromEntries([...this.#underWay].map(([key, underWay]) => [key, Math.max(0, freeAt(key, underWay))]))
  }

  taken(): Record<string, number> {
    return Object.fromEntries(this.#taken)
  }
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}
