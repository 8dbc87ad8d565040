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

/** Its rate limit is used up: the post waits by name for the time that the network named. */
export const throttled: Outcome = { status: 'waiting', code: null, says: '', posts: 0 }

/** A limit of LinkedIn ends at midnight UTC: the post fails when that is more than an hour away. */
export const limitedForADay: Outcome =
  new Date().getUTCHours() === 23 ? throttled : failed('rate_limited', 'accepts no posts from this account until')

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

interface OutcomeTable<Route extends string, Account extends Target> {
  network: string
  site(): NetworkSite
  counterpart(): { fail(route: Route, fault: NamedFault, times?: number): void }
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

/** More than the attempts of a post. What is left over would meet later posts: such a row comes last. */
const always = 60

/** Each condition ends in one state, with a stable code and a sentence that says what to do. */
export function testOutcomes<Route extends string, Account extends Target>(table: OutcomeTable<Route, Account>): void {
  const { network, site, connect, counterpart, route, routes = {}, revoke, media } = table
  const rows = Object.entries(table.outcomes) as [Condition, Outcome][]
  for (const [condition, { status, code, says, posts, health = 'ok' }] of rows) {
    const name = `SOC-23 SOC-25 ${network}, ${condition.replaceAll('_', ' ')}: ${status}${code ? ` as ${code}` : ''}`
    test(name, async () => {
      const account = await connect()
      const { ada } = site()
      const fault = condition.replace(' until the end', '') as 'ok' | NamedFault
      if (fault === 'revoked_token' && revoke) revoke(account)
      else if (fault !== 'ok')
        counterpart().fail(routes[condition] ?? route, fault, condition.endsWith('end') ? always : 1)
      const files = media ? { media: await media() } : {}
      const { id } = await site().schedule(account, { text: `Condition: ${condition}`, ...files })
      const isThrottled = (post: Post) => status === 'waiting' && post.waitingFor?.reason === 'rate_window'
      const post = await ada.until(id, (each) => isThrottled(each) || isSettled(each), 30_000)
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
    })
  }
}
