import { Problem, retryLater } from '#lib/errors.ts'
import { createByteRate, type ByteRate } from './byte-rate.ts'

interface SenderLimits {
  total: number
  perOrganization: number
  perPerson: number
}

interface Origin {
  organizationId: string
  /** For an API key, the person who is responsible for it. */
  personId: string
}

type End = (problem: Problem) => void

interface Slot {
  add(bytes: number): void
  leave(): void
}

export interface Senders {
  /**
   * When all slots are taken, the slowest request of those whose person or organization has more is ended by its
   * `end`. @throws {Problem} 423 at the maximum of the organization or person, 503 when no slot is free
   */
  enter(origin: Origin, end: End): Slot
}

/** A request, which isn't compared by its rate in its first 2 s. */
interface Sender extends Origin {
  end: End
  rate: ByteRate
}

/** From which on the rate of a request is known. */
const minAgeMs = 2_000

/** `clock` is in milliseconds. */
export function createSenders(
  { total, perOrganization, perPerson }: SenderLimits,
  clock = () => performance.now(),
): Senders {
  const sending = new Set<Sender>()
  const countOf = (key: keyof Origin, origin: Origin) =>
    [...sending].filter((sender) => sender[key] === origin[key]).length
  const loadOf = (origin: Origin) => Math.max(countOf('organizationId', origin), countOf('personId', origin))

  function makeRoom(origin: Origin): void {
    const load = loadOf(origin)
    const now = clock()
    const ranked = [...sending].reverse().map((sender) => {
      const isNew = sender.rate.age(now) < minAgeMs
      return { sender, load: loadOf(sender), isNew, rate: isNew ? 0 : sender.rate.perSecond(now) }
    })
    const [slowest] = ranked
      .filter((one) => one.load >= load + (one.isNew ? 2 : 1))
      .toSorted(
        (one, other) => Number(one.isNew) - Number(other.isNew) || one.rate - other.rate || other.load - one.load,
      )
    if (!slowest) throw busyProblem()
    sending.delete(slowest.sender)
    slowest.sender.end(busyProblem())
  }

  return {
    enter: (origin, end) => {
      const [ofOrganization, ofPerson] = [countOf('organizationId', origin), countOf('personId', origin)]
      if (ofOrganization >= perOrganization)
        throw tooManyProblem(`Your organization is already sending ${ofOrganization} uploads.`)
      if (ofPerson >= perPerson) throw tooManyProblem(`You are already sending ${ofPerson} uploads.`)
      if (sending.size >= total) makeRoom(origin)
      const rate = createByteRate(clock())
      const sender = { ...origin, end, rate }
      sending.add(sender)
      return { add: (bytes) => rate.add(bytes, clock()), leave: () => void sending.delete(sender) }
    },
  }
}

/** 423 instead of 429, after which tus clients give up. */
const tooManyProblem = (reason: string) =>
  retryLater(423, 'uploads_in_progress', `${reason} Continue this upload in 5 s.`)

const busyProblem = () =>
  retryLater(503, 'uploads_busy', 'The server is receiving too many uploads. Continue this upload in 5 s.')
