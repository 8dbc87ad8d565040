import type { Actor } from '../actor.ts'
import type { Events } from '../events.ts'
import type { Topic } from '../topic.ts'
import type { Member } from './member.ts'
import { createRechecks } from './rechecks.ts'

export interface LiveLimits {
  perCredential: number
  perOrganization: number
  /** Topics that can be checked in a minute, of all channels of a credential and of an organization: each costs queries. */
  checksPerCredential: number
  checksPerOrganization: number
}

interface Options {
  events: Pick<Events, 'subscribe' | 'onGap'>
  topics: readonly Topic[]
  limits?: Partial<LiveLimits>
}

export interface LiveHub {
  /** False when the caller has too many channels already. */
  join(member: Member): boolean
  leave(member: Member): void
  countCheck(member: Member): boolean
  follow(member: Member, topic: string): void
  unfollow(member: Member, topic: string): void
  /** Whether the topic changed, or could have, since a time of `performance.now()`. */
  changedSince(topic: string, at: number): boolean
  recheck(id?: string): void
  /** How often `recheck` was called. A client that joins compares it with the value from before its authentication. */
  rechecks(): number
  tick(): void
  close(): void
}

const tickMs = 1_000
const pingTicks = 25
/** Ticks between rechecks of a channel, which find what ends without an event, such as an expired token. */
const recheckTicks = 75
/** Milliseconds for which changes are remembered. Clients that were away for longer read everything again. */
const memoryMs = 120_000
const batchMs = 100
const defaultLimits: LiveLimits = {
  perCredential: 50,
  perOrganization: 2_000,
  checksPerCredential: 600,
  checksPerOrganization: 6_000,
}
const checkTicks = 60

export function createLiveHub({ events, topics, ...options }: Options): LiveHub {
  const limits = { ...defaultLimits, ...options.limits }
  const followers = new Map<string, Set<Member>>()
  const counts = new Map<string, number>()
  const joinedAs = new Map<Member, { keys: string[]; turn: number }>()
  const rechecks = createRechecks()
  const checks = new Map<string, number>()
  const changes = new Map<string, number>()
  let knownSince = performance.now()
  let pending = new Set<string>()
  let timer: Timer | undefined
  let recheckCount = 0
  let ticks = 0
  let joined = 0

  const flush = () => {
    timer = undefined
    const changed = pending
    pending = new Set()
    const topicsByMember = new Map<Member, string[]>()
    for (const topic of changed)
      for (const member of followers.get(topic) ?? [])
        topicsByMember.set(member, [...(topicsByMember.get(member) ?? []), topic])
    for (const [member, names] of topicsByMember) member.send({ type: 'invalidate', topics: names })
  }
  const changed = (topic: string) => {
    changes.delete(topic) // Deleted first to keep the map in order of time.
    changes.set(topic, performance.now())
    if (!followers.has(topic)) return
    pending.add(topic)
    timer ??= setTimeout(flush, batchMs)
  }
  const deleteOldChanges = () => {
    const since = performance.now() - memoryMs
    knownSince = Math.max(knownSince, since)
    for (const [topic, at] of changes) {
      if (at >= since) break
      changes.delete(topic)
    }
  }
  const recheck = (id?: string) => {
    recheckCount += 1
    const urgent = id !== undefined
    for (const member of joinedAs.keys())
      if (!urgent || idsOf(member.actor).includes(id)) rechecks.add(member, { urgent })
  }

  for (const { name, event, payload: schema, idOf } of topics)
    events.subscribe(event, schema, (payload) => changed(`${name}:${idOf(payload)}`), { committed: true })
  events.onGap(() => {
    knownSince = performance.now()
    recheck()
    for (const member of joinedAs.keys()) member.send({ type: 'resync' })
  })
  const tick = () => {
    deleteOldChanges()
    ticks += 1
    if (ticks % checkTicks === 0) checks.clear()
    for (const [member, { turn }] of joinedAs) {
      if ((ticks - turn) % pingTicks === 0) member.send({ type: 'ping' })
      if ((ticks - turn) % recheckTicks === 0) rechecks.add(member)
    }
  }
  const ticking = setInterval(tick, tickMs)
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
      joinedAs.set(member, { keys, turn: joined++ % recheckTicks })
      return true
    },
    leave: (member) => {
      for (const topic of member.topics) unfollow(member, topic)
      for (const key of joinedAs.get(member)?.keys ?? []) {
        const left = (counts.get(key) ?? 1) - 1
        if (left > 0) counts.set(key, left)
        else counts.delete(key)
      }
      joinedAs.delete(member)
      rechecks.delete(member)
    },
    countCheck: ({ actor: { credential, organization } }) => {
      const count = (key: string, max: number) => {
        const counted = (checks.get(key) ?? 0) + 1
        checks.set(key, counted)
        return counted <= max
      }
      if (!count(credential.id, limits.checksPerCredential)) return false
      return !organization || count(organization.id, limits.checksPerOrganization)
    },
    follow: (member, topic) => {
      member.topics.add(topic)
      followers.set(topic, (followers.get(topic) ?? new Set()).add(member))
    },
    unfollow,
    changedSince: (topic, at) => at < knownSince || (changes.get(topic) ?? -Infinity) >= at,
    recheck,
    rechecks: () => recheckCount,
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

const idsOf = ({
  credential,
  principal,
  organization,
  suspension,
  unmetRequirement,
}: Actor): (string | undefined)[] => [
  credential.id,
  principal.id,
  organization?.id,
  suspension?.organizationId,
  unmetRequirement?.organizationId,
]
