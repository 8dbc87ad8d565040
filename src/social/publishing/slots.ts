import { pause } from './pause.ts'

/** Posts that this process sends at the same time. */
export const maxPerHost = 32
/** Leaves three quarters of all slots to other organizations, regardless of the number of hosts. */
export const maxPerOrganization = 64
/** Slots of a host for each organization, which gets more only while as many stay free for others. */
export const reservedShare = maxPerHost / 4
const maxTotal = 256
/** Posts that this process has claimed, including those that wait for their next attempt. */
const maxUnderWay = { inAll: 1_024, perHost: 256, perOrganization: 256 }

interface Origin {
  host: string
  organizationId: string
}

const shareOf = ({ host, organizationId }: Origin): string => `${host} ${organizationId}`

export interface Slot {
  /** Gives the slot to other posts while `work` runs. It isn’t taken again when the server stops meanwhile. */
  lend<Result>(work: () => Promise<Result>, stopping: AbortSignal): Promise<Result>
  rest(ms: number, stopping: AbortSignal): Promise<void>
  release(): void
}

/**
 * Limited per host, so that a silent one doesn't delay others, and per organization, so that one with many such
 * hosts doesn't either. A quarter of a host's slots is for organizations with less than a quarter.
 */
export class Slots {
  readonly #hosts = new SlotCounts(maxPerHost, maxUnderWay.perHost)
  readonly #organizations = new SlotCounts(maxPerOrganization, maxUnderWay.perOrganization)
  readonly #shares = new SlotCounts(reservedShare, Infinity)
  #taken = 0
  #underWay = 0
  /** In order of arrival. */
  readonly #returning: { origin: Origin; enter: () => void }[] = []
  readonly #onRelease: () => void

  constructor(onRelease: () => void) {
    this.#onRelease = onRelease
  }

  free(): number {
    return Math.max(0, Math.min(maxTotal - this.#taken, maxUnderWay.inAll - this.#underWay))
  }

  freeByHost(): Record<string, number> {
    return this.#hosts.free()
  }

  freeByOrganization(): Record<string, number> {
    return this.#organizations.free()
  }

  takenByShare(): Record<string, number> {
    return this.#shares.taken()
  }

  take(origin: Origin): Slot {
    let holds = true
    let isUnderWay = true
    this.#addTaken(origin, 1)
    this.#addUnderWay(origin, 1)
    const giveBack = () => {
      if (holds) this.#release(origin)
      holds = false
    }
    const lend = async <Result>(work: () => Promise<Result>, stopping: AbortSignal): Promise<Result> => {
      giveBack()
      this.#onRelease()
      try {
        return await work()
      } finally {
        if (!stopping.aborted) {
          await this.#retake(origin)
          holds = true
        }
      }
    }
    return {
      lend,
      release: () => {
        giveBack()
        if (isUnderWay) this.#addUnderWay(origin, -1)
        isUnderWay = false
      },
      rest: (ms, stopping) => lend(() => pause(ms, stopping), stopping),
    }
  }

  #release(origin: Origin): void {
    this.#addTaken(origin, -1)
    // The slot is one of a host and of an organization: a post that waits for either can fit.
    for (;;) {
      const next = this.#returning.findIndex((waiting) => this.#hasSlot(waiting.origin))
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
    if (this.#hasSlot(origin)) {
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

  #hasSlot(origin: Origin): boolean {
    const freeAtHost = this.#hosts.slotsAt(origin.host)
    if (freeAtHost === 0 || this.#organizations.slotsAt(origin.organizationId) === 0) return false
    return this.#shares.slotsAt(shareOf(origin)) > 0 || freeAtHost > reservedShare
  }
}

class SlotCounts {
  readonly #taken = new Map<string, number>()
  readonly #underWay = new Map<string, number>()
  readonly #maxTaken: number
  readonly #maxUnderWay: number

  constructor(taken: number, underWay: number) {
    this.#maxTaken = taken
    this.#maxUnderWay = underWay
  }

  addTaken(key: string, change: number): void {
    add(this.#taken, key, change)
  }

  addUnderWay(key: string, change: number): void {
    add(this.#underWay, key, change)
  }

  slotsAt(key: string): number {
    return Math.max(0, this.#maxTaken - (this.#taken.get(key) ?? 0))
  }

  free(): Record<string, number> {
    const claimable = (key: string, underWay: number) => Math.min(this.slotsAt(key), this.#maxUnderWay - underWay)
    return Object.fromEntries(
      [...this.#underWay].map(([key, underWay]) => [key, Math.max(0, claimable(key, underWay))]),
    )
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
