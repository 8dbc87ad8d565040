import type { Actor } from '../actor.ts'
import { Problem } from '../errors.ts'
import type { Credential } from '../http/dependencies.ts'
import { databaseAway } from '../postgres/faults.ts'
import type { Connection, Peer } from '../socket.ts'
import type { LiveHub } from './hub.ts'
import type { Member } from './member.ts'
import { closeCodes, readFrame, type ClientFrame, type ServerFrame } from './protocol.ts'

export interface LiveDependencies {
  hub: LiveHub
  /** @throws {Problem} 401 */
  redeem(token: string): Promise<Credential>
  /** @throws {Problem} 401, and 503 while identity is unavailable */
  authenticate(credential: Credential): Promise<Actor>
  /** @throws {Problem} 403 or 404 */
  authorizeTopic(actor: Actor, topic: string): Promise<void>
  reportError(error: unknown): void
}

const tokenTimeoutMs = 10_000
const maxWaiting = 20
const maxPerMinute = 60

interface Session {
  credential: Credential
  member: Member
}

export function openChannel(peer: Peer, dependencies: LiveDependencies): Connection {
  const { hub } = dependencies
  let session: Session | undefined
  let waiting = 0
  let work = Promise.resolve()
  let isClosed = false
  let messages = 0
  const openedAt = performance.now()
  let countedSince = openedAt

  const send = (frame: ServerFrame) => peer.send(frame)
  const end = (code: number, reason: string) => {
    if (isClosed) return
    leave()
    peer.close(code, reason)
  }
  const leave = () => {
    isClosed = true
    clearTimeout(deadline)
    if (session) hub.leave(session.member)
    session = undefined
  }
  const fail = (error: unknown) => {
    if (error instanceof Problem && error.status === 401) return end(closeCodes.unauthorized, error.code)
    if (error instanceof Problem && error.status === 503) return end(closeCodes.tryLater, error.code)
    if (databaseAway(error)) return end(closeCodes.tryLater, 'database_unavailable')
    dependencies.reportError(error)
    end(1011, 'internal_error')
  }
  /** Runs steps one after another: a recheck never overlaps a subscription. */
  const enqueue = (step: () => Promise<void>): Promise<void> => {
    waiting += 1
    work = work
      .then(() => (isClosed ? undefined : step()))
      .catch(fail)
      .finally(() => (waiting -= 1))
    return work
  }
  const isOverLimit = () => {
    if (performance.now() - countedSince > 60_000) {
      messages = 0
      countedSince = performance.now()
    }
    messages += 1
    return messages > maxPerMinute
  }
  const deadline = setTimeout(() => end(closeCodes.tokenTimeout, 'Send a token first'), tokenTimeoutMs)

  const authenticate = async (token: string) => {
    const credential = await dependencies.redeem(token)
    const rechecks = hub.rechecks()
    const actor = await dependencies.authenticate(credential)
    const member: Member = { actor, topics: new Set(), send, recheck: () => enqueue(recheck) }
    if (isClosed) return
    if (!hub.join(member)) return end(closeCodes.tooMany, 'Too many live channels')
    clearTimeout(deadline)
    session = { credential, member }
    // A revocation during the lookup was announced before the caller joined.
    if (hub.rechecks() !== rechecks) void member.recheck()
    peer.authenticated()
    send({ type: 'ready' })
  }

  const recheck = async () => {
    if (!session) return
    const { credential, member } = session
    member.actor = await dependencies.authenticate({ ...credential, passive: true })
    const dropped: string[] = []
    for (const topic of member.topics) {
      if (await canFollow(member.actor, topic)) continue
      hub.unfollow(member, topic)
      dropped.push(topic)
    }
    if (dropped.length > 0 && !isClosed) send({ type: 'dropped', topics: dropped })
  }

  const canFollow = (actor: Actor, topic: string): Promise<boolean> =>
    dependencies.authorizeTopic(actor, topic).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Problem && (error.status === 403 || error.status === 404)) return false
        throw error
      },
    )

  const subscribe = async (wanted: readonly string[], since: number | null) => {
    if (!session) return
    const { member } = session
    const refused: string[] = []
    const added: string[] = []
    const topics = new Set(wanted)
    for (const topic of member.topics) if (!topics.has(topic)) hub.unfollow(member, topic)
    for (const topic of topics) {
      if (member.topics.has(topic)) continue
      if (!hub.countCheck(member)) return end(closeCodes.tooMany, 'Too many topics per minute')
      const allowed = await canFollow(member.actor, topic)
      if (isClosed) return
      if (allowed) hub.follow(member, topic)
      else refused.push(topic)
      if (allowed) added.push(topic)
    }
    send({ type: 'subscribed', topics: [...member.topics], refused })
    const missed = since === null ? [] : added.filter((topic) => hub.changedSince(topic, since))
    if (missed.length > 0) send({ type: 'invalidate', topics: missed })
  }

  const handleFrame = async ({ token, topics }: ClientFrame, since: number | null) => {
    if ((token === undefined) !== (session !== undefined))
      return end(closeCodes.badMessage, session ? 'The token was already sent' : 'Send a token first')
    if (token !== undefined) await authenticate(token)
    if (topics && !isClosed) await subscribe(topics, since)
  }

  return {
    message: (text) => {
      const frame = readFrame(text)
      if (!frame) return end(closeCodes.badMessage, 'Send { "token" } or { "topics" } as JSON')
      if (waiting >= maxWaiting || isOverLimit()) return end(closeCodes.tooMany, 'Too many messages')
      // The first message can take long to arrive, but was not sent before the channel was opened.
      const sentAt = frame.token === undefined ? performance.now() : openedAt
      const since = frame.staleMs === undefined ? null : sentAt - frame.staleMs
      void enqueue(() => handleFrame(frame, since))
    },
    close: leave,
  }
}
