import { expect, test } from 'bun:test'
import type { NamedFault } from '../../counterparts/wire/wire.ts'
import { inMs, isSettled, type Post, type Publisher } from '../../support/publisher.ts'

/** What a network can do with a post: a fault of its counterpart, or none. */
type Condition = 'ok' | NamedFault | `${NamedFault} until the end`

export interface Outcome {
  status: 'published' | 'failed'
  code: string | null
  /** A part of the sentence that people read. */
  says: string
  /** How many posts the network has in the end. */
  posts: number
  /** Of the account; `ok` when not set. */
  health?: 'signed_out'
}

export interface OutcomeTable<Route extends string> {
  network: string
  provider: string
  ada(): Publisher
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
  const { network, provider, ada, connect, counterpart, route, routes = {}, media } = table
  const rows = Object.entries(table.outcomes) as [Condition, Outcome][]
  for (const [condition, { status, code, says, posts, health = 'ok' }] of rows) {
    const name = `SOC-23 SOC-25 ${network}, ${condition.replaceAll('_', ' ')}: ${status}${code ? ` as ${code}` : ''}`
    test(name, async () => {
      const account = await connect()
      const fault = condition.replace(' until the end', '') as 'ok' | NamedFault
      if (fault !== 'ok') counterpart().fail(routes[condition] ?? route, fault, condition.endsWith('end') ? always : 1)
      const files = media ? { media: await media() } : {}
      const { id } = await ada().post({
        provider,
        text: `Condition: ${condition}`,
        status: 'scheduled',
        scheduledAt: inMs(150),
        target: { connectionId: account.connectionId },
        ...files,
      })
      const post: Post = await ada().until(id, isSettled, 30_000)
      const connection = await ada().call<{ health: string }>('GET', `/api/accounts/${account.connectionId}`)
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
