import { pause } from './pause.ts'

/** Posts that this process sends at a time. */
export const mostPerHost = 32
/** However many hosts an organization names, three quarters of all places stay for others. */
export const mostPerOrganization = 64
const mostInAll = 256
/** Posts that this process has claimed, those that wait for their next try among them. */
const mostUnderWay = { inAll: 1_024, perHost: 256, perOrganization: 256 }

/** Where a post goes and whose it is: what places are counted by. */
interface Origin {
  host: string
  organizationId: string
}

/** The right of one post to be sent now. */
export interface Place {
  /** Gives the place to others for so many milliseconds, and comes back when there is one again. */
  rest(ms: number, stopping: AbortSignal): Promise<void>
  leave(): void
}

/**
 * How many posts this process sends at a time. Counted per host, so that one that doesn't answer holds up no other, and
 * per organization, so that one with many such hosts holds up no other either. A post that only waits for its next try
 * takes no place, and counts towards a larger bound of posts under way.
 */
export class Places {
  readonly #hosts = new Counts(mostPerHost, mostUnderWay.perHost)
  readonly #organizations = new Counts(mostPerOrganization, mostUnderWay.perOrganization)
  #taken = 0
  #underWay = 0
  /** Posts that go on after a pause and found no place, longest waiting first. */
  readonly #returning: { origin: Origin; enter: () => void }[] = []
  readonly #onRoom: () => void

  /** `onRoom` is called when a post goes to rest that had the last place. */
  constructor(onRoom: () => void) {
    this.#onRoom = onRoom
  }

  /** How many more posts can be claimed in all, at least 0. */
  free(): number {
    return Math.max(0, Math.min(mostInAll - this.#taken, mostUnderWay.inAll - this.#underWay))
  }

  /** How many more posts can be claimed at each host that has some under way, at least 0. */
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
