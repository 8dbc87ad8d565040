import { expect, test } from 'bun:test'
import type { FirstCommentStatus } from '#social/types'
import type { NamedFault } from '../../../counterparts/wire/wire.ts'
import { administer } from '../../../support/database.ts'
import type { Post, Publisher } from '../../../support/publisher.ts'
import type { NetworkSite } from './site.ts'

/** What a network can do with a first comment: a fault of its counterpart, or none. */
type Condition = 'ok' | NamedFault | `${NamedFault} until the end`

interface Outcome {
  state: 'published' | 'failed' | 'unknown' | 'waiting'
  code: string | null
  /** A part of the sentence that people read. */
  says: string
  /** How many comments the network has in the end. */
  comments: number
  /** Of the account; `ok` when not set. */
  health?: 'signed_out'
}

export const written: Outcome = { state: 'published', code: null, says: '', comments: 1 }

export const notWritten = (
  code: string,
  says: string,
  more: Partial<Pick<Outcome, 'state' | 'comments' | 'health'>> = {},
): Outcome => ({ state: 'failed', code, says, comments: 0, ...more })

/** Its rate limit is used up: the comment waits for the time that the network named. */
export const throttled: Outcome = { state: 'waiting', code: null, says: '', comments: 0 }

/** Of a network whose comments can be read: the comment is there once. */
export const writtenOnce = {
  ok: written,
  server_error: written,
  server_error_after: written,
  no_answer_before: written,
  no_answer_after: written,
  connection_lost: written,
  malformed: written,
}

type CommentedPost = Post & { firstCommentStatus: FirstCommentStatus | null }

/** Waits until the first comment of a post is written, failed, unknown, or waits for its network. */
export async function untilCommented(ada: Publisher, id: string): Promise<CommentedPost> {
  const read = () => ada.call<CommentedPost>('GET', `/api/posts/${id}`)
  const isOver = ({ state, waitingFor }: FirstCommentStatus) =>
    !['pending', 'sending'].includes(state) || waitingFor !== null
  await ada.until(id, ({ status }) => status === 'published' || status === 'failed', 30_000)
  for (;;) {
    const post = await read()
    if (post.status !== 'published') throw new Error(`The post failed: ${post.failureMessage}`)
    if (post.firstCommentStatus && isOver(post.firstCommentStatus)) return post
    await Bun.sleep(100)
  }
}

interface CommentTable<Route extends string> {
  network: string
  site(): NetworkSite
  counterpart(): { fail(route: Route, fault: NamedFault, times?: number): void }
  /** Of the request that creates the comment. */
  route: Route
  /** Connects another account. */
  connect(): Promise<{ connectionId: string; comments(): string[] }>
  /** Conditions that have a route of their own. */
  routes?: Partial<Record<Condition, Route>>
  outcomes: Partial<Record<Condition, Outcome>>
  media?(): Promise<{ mediaId: string; alt?: string }[]>
  /** Of each post, beside its text. */
  values?: Record<string, unknown>
}

/** More than the requests of a comment. What is left over would meet later ones: such a row comes last. */
const always = 60

/** Each condition ends in one state of the comment, and the post stays published. */
export function testCommentOutcomes<Route extends string>(table: CommentTable<Route>): void {
  const { network, site, connect, counterpart, route, routes = {}, media, values = {} } = table
  const rows = Object.entries(table.outcomes) as [Condition, Outcome][]
  for (const [condition, { state, code, says, comments, health = 'ok' }] of rows) {
    const name = `SOC-10 SOC-24 first comment on ${network}, ${condition.replaceAll('_', ' ')}: ${state}${code ? ` as ${code}` : ''}`
    test(name, async () => {
      const account = await connect()
      const { ada } = site()
      const fault = condition.replace(' until the end', '') as 'ok' | NamedFault
      if (fault !== 'ok') counterpart().fail(routes[condition] ?? route, fault, condition.endsWith('end') ? always : 1)
      const files = { ...values, ...(media && { media: await media() }) }
      const firstComment = `#comment on ${condition}`
      const { id } = await site().schedule(account, { text: `Condition: ${condition}`, firstComment, ...files })
      const { firstCommentStatus: status } = await untilCommented(ada, id)
      const connection = await ada.call<{ health: string }>('GET', `/api/accounts/${account.connectionId}`)
      expect({
        ...status,
        state: status?.waitingFor ? 'waiting' : status?.state,
        health: connection.health,
      }).toMatchObject({
        state,
        failureCode: code,
        failureMessage: code === null ? null : expect.stringContaining(says),
        health,
      })
      // It can be that of the app, which other rows share.
      if (fault === 'rate_limited') await administer(site().databaseUrl, (sql) => sql`DELETE FROM social.rate_windows`)
      expect(account.comments()).toEqual(Array.from({ length: comments }, () => firstComment))
    })
  }
}
