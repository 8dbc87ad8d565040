import { expect, test } from 'bun:test'
import type { NamedFault } from '../../../counterparts/wire/wire.ts'
import type { NetworkSite } from './site.ts'

/** What a network can do with a post: a fault of its counterpart, or none. */
type Condition = 'ok' | NamedFault | `${NamedFault} until the end`

interface Outcome {
  status: 'published' | 'failed'
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

export const signedOut = failed('signed_out', 'Reconnect it', { health: 'signed_out' })

/** Of a network that says whether a post arrived, with tokens that can be refreshed. */
export const publishedOnce = {
  ok: published,
  unauthorized: published,
  expired_token: published,
  server_error: published,
  no_answer_before: published,
  no_answer_after: published,
  connection_lost: published,
  malformed: published,
}

interface OutcomeTable<Route extends string> {
  network: string
  site(): NetworkSite
  counterpart(): { fail(route: Route, fault: NamedFault, times?: number): void }
  /** Of the request that creates the post. */
  route: Route
  /** Connects another account. */
  connect(): Promise<{ connectionId: string; posts(): number }>
  /** Conditions that have a route of their own. */
  routes?: Partial<Record<Condition, Route>>
  outcomes: Partial<Record<Condition, Outcome>>
  media?(): Promise<{ mediaId: string; alt: string }[]>
}

/** More than the attempts of a post. What is left over would meet later posts: such a row comes last. */
const always = 60

/** Each condition ends in one state, with a stable code and a sentence that says what to do. */
export function testOutcomes<Route extends string>(table: OutcomeTable<Route>): void {
  const { network, site, connect, counterpart, route, routes = {}, media } = table
  const rows = Object.entries(table.outcomes) as [Condition, Outcome][]
  for (const [condition, { status, code, says, posts, health = 'ok' }] of rows) {
    const name = `SOC-23 SOC-25 ${network}, ${condition.replaceAll('_', ' ')}: ${status}${code ? ` as ${code}` : ''}`
    test(name, async () => {
      const account = await connect()
      const fault = condition.replace(' until the end', '') as 'ok' | NamedFault
      if (fault !== 'ok') counterpart().fail(routes[condition] ?? route, fault, condition.endsWith('end') ? always : 1)
      const files = media ? { media: await media() } : {}
      const post = await site().publish(account, { text: `Condition: ${condition}`, ...files })
      const connection = await site().ada.call<{ health: string }>('GET', `/api/accounts/${account.connectionId}`)
      expect({ ...post, health: connection.health, posts: account.posts() }).toMatchObject({
        status,
        failureCode: code,
        failureMessage: code === null ? null : expect.stringContaining(says),
        health,
        posts,
      })
    })
  }
}
