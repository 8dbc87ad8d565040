import { expect, test } from 'bun:test'
import type { NamedFault } from '../../../counterparts/wire/wire.ts'
import { administer } from '../../../support/database.ts'
import { isSettled, type Post } from '../../../support/publisher.ts'
import type { NetworkSite } from './site.ts'

/** What a network can do with a post: a fault of its counterpart, or none. */
type Condition = 'ok' | NamedFault | `${NamedFault} until the end`

interface Outcome {
  status: 'published' | 'failed' | 'waiting'
  code: string | null
  /** A part of the sentence that people read. */
  says: string
  /** How many posts the network has in the end. */
  posts: number
  /** Of the account; `ok` when not set. */
  health?: 'signed_out'
  /** When its network takes posts again, of a request that was sent then. */
  until?(sentAt: Date): Date
  /** The least time from the refused request to the next. */
  retriedAfterMs?: number
}

/** The post is there once, whether at the first attempt or after a retry. */
export const published: Outcome = { status: 'published', code: null, says: '', posts: 1 }

export const failed = (code: string, says: string, more: Partial<Pick<Outcome, 'posts' | 'health'>> = {}): Outcome => ({
  status: 'failed',
  code,
  says,
  posts: 0,
  ...more,
})

/** The rate limit is used up: the post waits for as long as the network says, or as its window is where it says nothing. */
export const throttledFor = (seconds: number): Outcome => ({
  status: 'waiting',
  code: null,
  says: '',
  posts: 0,
  until: (sentAt) => new Date(sentAt.getTime() + seconds * 1000),
})

/** It is published by the same attempt, after the time that the network said. */
export const publishedAfter = (ms: number): Outcome => ({ ...published, retriedAfterMs: ms })

const midnightUtc = (now: Date): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1))
const dayOf = (day: Date): string =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(day)

/** A limit of LinkedIn ends at midnight UTC: the post fails when that is more than an hour away. */
export const limitedForADay: Outcome =
  new Date().getUTCHours() === 23
    ? { status: 'waiting', code: null, says: '', posts: 0, until: midnightUtc }
    : failed('rate_limited', `accepts no posts from this account until ${dayOf(midnightUtc(new Date()))} 00:00 UTC`)

export const signedOut = failed('signed_out', 'Reconnect it', { health: 'signed_out' })

/** Of a network that says whether a post arrived, with tokens that can be refreshed. */
export const publishedOnce = {
  ok: published,
  unauthorized: published,
  expired_token: published,
  server_error: published,
  server_error_after: published,
  no_answer_before: published,
  no_answer_after: published,
  connection_lost: published,
  malformed: published,
}

interface Target {
  connectionId: string
  posts(): number
}

interface Counterpart<Route extends string> {
  fail(route: Route, fault: NamedFault, times?: number): void
  callsOf?(route: Route): readonly { at: number }[]
}

interface OutcomeTable<Route extends string, Account extends Target> {
  network: string
  site(): NetworkSite
  counterpart(): Counterpart<Route>
  /** Of the request that creates the post. */
  route: Route
  /** Connects another account. */
  connect(): Promise<Account>
  /** Revokes all tokens of an account, before the post in `revoked_token`. Without it, one request is answered so. */
  revoke?(account: Account): void
  /** Conditions that have a route of their own. */
  routes?: Partial<Record<Condition, Route>>
  outcomes: Partial<Record<Condition, Outcome>>
  media?(): Promise<{ mediaId: string; alt: string }[]>
}

/** Networks round to seconds. */
function expectBetween(ms: number, from: Date, to: Date): void {
  expect(ms).toBeGreaterThanOrEqual(from.getTime() - 1000)
  expect(ms).toBeLessThanOrEqual(to.getTime() + 1000)
}

/** More than the attempts of a post. What is left over would meet later posts: such a row comes last. */
const always = 60

/** Each condition ends in one state, with a stable code and a sentence that says what to do. */
export function testOutcomes<Route extends string, Account extends Target>(table: OutcomeTable<Route, Account>): void {
  const { network, site, connect, counterpart, route, routes = {}, revoke, media } = table
  const rows = Object.entries(table.outcomes) as [Condition, Outcome][]
  for (const [condition, { status, code, says, posts, health = 'ok', until, retriedAfterMs }] of rows) {
    const name = `SOC-23 SOC-25 ${network}, ${condition.replaceAll('_', ' ')}: ${status}${code ? ` as ${code}` : ''}`
    test(name, async () => {
      const account = await connect()
      const { ada } = site()
      const fault = condition.replace(' until the end', '') as 'ok' | NamedFault
      if (fault === 'revoked_token' && revoke) revoke(account)
      else if (fault !== 'ok')
        counterpart().fail(routes[condition] ?? route, fault, condition.endsWith('end') ? always : 1)
      const files = media ? { media: await media() } : {}
      const sentAt = new Date()
      const calls = counterpart().callsOf?.(route).length ?? 0
      const { id } = await site().schedule(account, { text: `Condition: ${condition}`, ...files })
      const isThrottled = (post: Post) => status === 'waiting' && post.waitingFor?.reason === 'rate_window'
      const post = await ada.until(id, (each) => isThrottled(each) || isSettled(each), 30_000)
      if (until) expectBetween(Date.parse(post.waitingFor?.until ?? ''), until(sentAt), until(new Date()))
      const connection = await ada.call<{ health: string }>('GET', `/api/accounts/${account.connectionId}`)
      // It can be that of the app, which other rows share.
      if (fault === 'rate_limited') await administer(site().databaseUrl, (sql) => sql`DELETE FROM social.rate_windows`)
      const end = { ...post, status: post.waitingFor ? 'waiting' : post.status }
      expect({ ...end, health: connection.health, posts: account.posts() }).toMatchObject({
        status,
        waitingFor: status === 'waiting' ? { reason: 'rate_window', until: expect.any(String) } : null,
        failureCode: code,
        failureMessage: code === null ? null : expect.stringContaining(says),
        health,
        posts,
      })
      if (retriedAfterMs !== undefined) {
        const [refused, next] = counterpart().callsOf?.(route).slice(calls) ?? []
        expect((next?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThanOrEqual(retriedAfterMs)
      }
    })
  }
}
