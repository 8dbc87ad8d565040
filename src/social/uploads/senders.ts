import { Problem } from '#lib/errors.ts'

interface Bounds {
  /** Maximum of requests at a time. */
  total: number
  /** Maximum of one organization's requests at a time. */
  perOrganization: number
}

type End = (problem: Problem) => void

/** The requests that are sending uploads to this process. */
export interface Senders {
  /**
   * Takes a slot for one request, and returns the function that releases it. When all slots are taken, the newest request of the
   * organization that has the most is ended by its `end`, if that organization has at least two more than the new one.
   * @throws {Problem} 423 when the organization has its maximum, 503 when no slot is free
   */
  enter(organization: string, end: End): () => void
}

export function createSenders({ total, perOrganization }: Bounds): Senders {
  const sending = new Map<string, Set<End>>()
  const countOf = (organization: string) => sending.get(organization)?.size ?? 0

  function leave(organization: string, end: End): void {
    const own = sending.get(organization)
    own?.delete(end)
    if (own?.size === 0) sending.delete(organization)
  }

  function makeRoom(organization: string): void {
    const [most] = [...sending].toSorted(([, one], [, other]) => other.size - one.size)
    const newest = most && [...most[1]].at(-1)
    if (!most || !newest || most[1].size < countOf(organization) + 2) throw busy()
    leave(most[0], newest)
    newest(busy())
  }

  return {
    enter: (organization, onEnd) => {
      const count = countOf(organization)
      if (count >= perOrganization) throw tooMany(count)
      let all = 0
      for (const own of sending.values()) all += own.size
      if (all >= total) makeRoom(organization)
      // Two requests can pass the same function.
      const end: End = (problem) => onEnd(problem)
      sending.set(organization, (sending.get(organization) ?? new Set()).add(end))
      return () => leave(organization, end)
    },
  }
}

/** Seconds after which to try again. */
const retry = { headers: { 'Retry-After': '5' } }

/** 423 instead of 429, after which tus clients give up. */
const tooMany = (count: number) =>
  new Problem(
    423,
    'uploads_in_progress',
    `Your organization is already sending ${count} uploads. Continue this one in 5 s.`,
    retry,
  )

const busy = () =>
  new Problem(503, 'uploads_busy', 'The server is receiving too many uploads. Continue this one in 5 s.', retry)
