import type { Actor } from '../actor.ts'
import type { Events } from '../events.ts'
import type { Topic } from '../topic.ts'
import type { ServerFrame } from './protocol.ts'

/** One live channel whose caller is known. */
export interface Member {
  actor: Actor
  topics: Set<string>
  send(frame: ServerFrame): void
  /** Asks again who the caller is and what they can read. */
  recheck(): void
}

/** How many live channels one server keeps. */
export interface LiveLimits {
  perCredential: number
  perOrganization: number
}

interface Options {
  events: Pick<Events, 'subscribe' | 'onGap'>
  topics: readonly Topic[]
  limits?: LiveLimits
}

/** The live channels of one server, and what changed lately. */
export interface LiveHub {
  /** False when the caller has too many channels already. */
  join(member: Member): boolean
  leave(member: Member): void
  follow(member: Member, topic: string): void
  unfollow(member: Member, topic: string): void
  /** Whether the topic changed since a time of `performance.now()`, or can have. */
  changedSince(topic: string, at: number): boolean
  /** Rechecks the members of a session, key, person or organization; everyone without an id. */
  recheck(id?: string): void
  /** How often `recheck` was called: a client that joins compares it with its value at authentication. */
  rechecks(): number
  /** Pings, and rechecks one part of the members; called every `tickMs`. */
  tick(): void
  close(): void
}

/** Milliseconds between pings. */
const pingEvery = 25_000
/** Every channel is rechecked within this many ticks: what ends without an event, such as a token, ends then. */
const ticksPerRecheck = 3
/** Milliseconds for which changes are remembered; who shows something older reads it again. */
const memory = 120_000
/** Milliseconds in which changes of a topic become one message. */
const batch = 100
const defaultLimits: LiveLimits = { perCredential: 50, perOrganization: 2_000 }

/** Hears the events of topics and tells the channels that follow them. */
export function createLiveHub({ events, topics, limits = defaultLimits }: Options): LiveHub {
  const members = new Set<Member>()
  const followers = new Map<string, Set<Member>>()
  const counts = new Map<string, number>()
  const joinedAs = new Map<Member, string[]>()
  const changes = new Map<string, number>()
  let knownSince = performance.now()
  let pending = new Set<string>()
  let timer: Timer | undefined
  let asked = 0
  let ticks = 0

  const flush = () => {
    timer = undefined
    const changed = pending
    pending = new Set()
    const told = new Map<Member, string[]>()
    for (const topic of changed)
      for (const member of followers.get(topic) ?? []) told.set(member, [...(told.get(member) ?? []), topic])
    for (const [member, names] of told) member.send({ type: 'invalidate', topics: names })
  }
  const changed = (topic: string) => {
    changes.delete(topic) // Set again it comes last: the oldest stay first.
    changes.set(topic, performance.now())
    if (!followers.has(topic)) return
    pending.add(topic)
    timer ??= setTimeout(flush, batch)
  }
  const forgetOld = () => {
    const since = performance.now() - memory
    knownSince = Math.max(knownSince, since)
    for (const [topic, at] of changes) {
      if (at >= since) break
      changes.delete(topic)
    }
  }
  const recheck = (id?: string) => {
    asked += 1
    for (const member of members) if (id === undefined || idsOf(member.actor).includes(id)) member.recheck()
  }

  for (const { name, event, payload, idOf } of topics)
    events.subscribe(event, payload, (told) => changed(`${name}:${idOf(told)}`), { committed: true })
  events.onGap(() => {
    knownSince = performance.now()
    recheck()
    for (const member of members) member.send({ type: 'resync' })
  })
  const tick = () => {
    forgetOld()
    ticks += 1
    let at = ticks
    for (const member of members) {
      member.send({ type: 'ping' })
      if (at++ % ticksPerRecheck === 0) member.recheck()
    }
  }
  const ticking = setInterval(tick, pingEvery)
  ticking.unref()

  return {
    join: (member) => {
      const { credential, organization } = member.actor
      const keys = [credential.id, ...(organization ? [organization.id] : [])]
      const full =
        (counts.get(credential.id) ?? 0) >= limits.perCredential ||
        (organization && (counts.get(organization.id) ?? 0) >= limits.perOrganization)
      if (full) return false
      for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
      joinedAs.set(member, keys)
      members.add(member)
      return true
    },
    leave: (member) => {
      for (const topic of member.topics) unfollow(member, topic)
      for (const key of joinedAs.get(member) ?? []) {
        const left = (counts.get(key) ?? 1) - 1
        if (left > 0) counts.set(key, left)
        else counts.delete(key)
      }
      joinedAs.delete(member)
      members.delete(member)
    },
    follow: (member, topic) => {
      member.topics.add(topic)
      followers.set(topic, (followers.get(topic) ?? new Set()).add(member))
    },
    unfollow,
    changedSince: (topic, at) => at < knownSince || (changes.get(topic) ?? -Infinity) >= at,
    recheck,
    rechecks: () => asked,
    tick,
    close: () => {
      clearInterval(ticking)
      clearTimeout(timer)
    },
  }

  function unfollow(member: Member, topic: string): void {
    member.topics.delete(topic)
    const all = followers.get(topic)
    all?.delete(member)
    if (all?.size === 0) followers.delete(topic)
  }
}

/** Whose end, or change, concerns a caller. */
const idsOf = ({ credential, principal, organization, suspension, barred }: Actor): (string | undefined)[] => [
  credential.id,
  principal.id,
  organization?.id,
  suspension?.organizationId,
  barred?.organizationId,
]
