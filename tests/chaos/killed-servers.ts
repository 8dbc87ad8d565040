import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { openDatabase } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import { spawnServer } from '../support/served.ts'
import { scaleTime } from '../support/time-scale.ts'

/** SIGKILL as a shell's exit status. */
const killed = 137

const Held = z.array(z.object({ provider: z.string(), isSending: z.boolean() }))
const Rows = z.array(
  z.object({ id: z.string(), status: z.string(), failureCode: z.string().nullable(), waiting: z.string() }),
)

export type KilledServers = ReturnType<typeof openKilledServers>

/** Servers on one database that kill themselves while they publish, and the posts that are due there. */
export function openKilledServers(databaseUrl: string, env: Record<string, string>, entry?: string) {
  const database = openDatabase(databaseUrl, 4)
  const rows = async <Row>(type: z.ZodType<Row>, query: SQL) => type.parse([...(await database.db.execute(query))])
  return {
    /** Copies a draft as a post that is due now. @returns its ID */
    schedule: async (draftId: string, text: string): Promise<string> => {
      const id = newId()
      await database.db.execute(sql`
        INSERT INTO social.posts
          (id, brand_id, author_id, provider, status, text, media, target, youtube, scheduled_at, due_at)
        SELECT ${id}, brand_id, author_id, provider, 'scheduled', ${text}, media, target, youtube, at, at
        FROM social.posts, clock_timestamp() AS at WHERE id = ${draftId}`)
      return id
    },
    /**
     * Runs a server until it kills itself. @returns the network at whose post it did, and the posts that it held; null
     * when it held that post no longer, or did not get to the step in time
     */
    killOne: async (at: string) => {
      const server = spawnServer({ databaseUrl, env: { ...env, KILL_AT: at }, ...(entry && { entry }) })
      const status = await Promise.race([server.exited, Bun.sleep(scaleTime(20_000))])
      if (status === undefined) server.kill('SIGKILL')
      const [, postId] = /SIGKILL after \w+ of (\S+)/.exec(server.output()) ?? []
      if ((await server.exited) !== killed) {
        // A machine that is too busy for it to reach the database while it starts.
        if (/Can’t connect to PostgreSQL|database connection was lost during startup/.test(server.output())) return null
        throw new Error(`A server ended by itself:\n${server.output()}`)
      }
      if (postId === undefined) return null
      const held = await rows(
        Held,
        sql`SELECT p.provider, a.id IS NOT NULL AS "isSending"
          FROM social.posts killed JOIN social.posts p ON p.lease_owner = killed.lease_owner AND p.status = 'scheduled'
          LEFT JOIN social.publish_attempts a ON a.post_id = p.id AND a.state = 'sending'
          WHERE killed.id = ${postId} ORDER BY p.id <> killed.id`,
      )
      const [first] = held
      return first ? { provider: first.provider, held } : null
    },
    /** The network of each post that isn't settled. */
    listDue: async (): Promise<string[]> =>
      (
        await rows(
          z.array(z.object({ provider: z.string() })),
          sql`SELECT provider FROM social.posts WHERE status = 'scheduled'`,
        )
      ).map(({ provider }) => provider),
    read: async () =>
      rows(
        Rows,
        sql`SELECT id, status, failure_code AS "failureCode", coalesce(waiting_for::text, '') AS waiting
          FROM social.posts WHERE status <> 'draft'`,
      ),
    close: () => database.close(),
  }
}
