import type { Clock } from '../wire/clock.ts'

export type Status = 'IN_PROGRESS' | 'FINISHED' | 'ERROR' | 'EXPIRED' | 'PUBLISHED'

/** Media that waits to be published. */
export interface Container<Content> {
  id: string
  owner: string
  content: Content
  createdAt: number
  /** Status requests until it is finished. */
  busy: number
  isBroken: boolean
  /** The published media, null before. */
  mediaId: string | null
}

const lifetimeMs = 86_400_000

/** The containers of a network, each published at most once. */
export class Containers<Content> {
  readonly #found = new Map<string, Container<Content>>()
  readonly #clock: Clock
  readonly #nextId: () => string
  /** How many of the next ones end in an error. */
  breaks = 0

  constructor(clock: Clock, nextId: () => string) {
    this.#clock = clock
    this.#nextId = nextId
  }

  create(owner: string, content: Content, busy: number): Container<Content> {
    const isBroken = this.breaks > 0
    if (isBroken) this.breaks -= 1
    const createdAt = this.#clock.now()
    const container = { id: this.#nextId(), owner, content, createdAt, busy, isBroken, mediaId: null }
    this.#found.set(container.id, container)
    return container
  }

  of(id: string, owner: string): Container<Content> | undefined {
    const found = this.#found.get(id)
    return found?.owner === owner ? found : undefined
  }

  status({ mediaId, createdAt, busy, isBroken }: Container<Content>): Status {
    if (mediaId) return 'PUBLISHED'
    if (createdAt + lifetimeMs <= this.#clock.now()) return 'EXPIRED'
    if (busy > 0) return 'IN_PROGRESS'
    return isBroken ? 'ERROR' : 'FINISHED'
  }

  get all(): Container<Content>[] {
    return [...this.#found.values()]
  }
}
