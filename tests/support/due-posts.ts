import { openDatabase } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'

/** Posts inserted directly into the database, and their results: for tests that need many. */
export interface DuePosts {
  /** Adds sandbox accounts of the brand. */
  accounts(handles: string[]): Promise<void>
  /** Posts on each account, due after `inMs` milliseconds, spread evenly over `spreadMs`. */
  schedule(options: { perAccount: number; text: string; inMs?: number; spreadMs?: number }): Promise<void>
  /** How many posts have each status. */
  statuses(): Promise<Record<string, number>>
  /** Each published post's account and id on the network. */
  published(): Promise<{ account: string; id: string }[]>
  close(): Promise<void>
}

/** Creates a brand of an arbitrary organization in a migrated database. */
export async function duePosts(databaseUrl: string): Promise<DuePosts> {
  const database = openDatabase(databaseUrl, 2)
  const { sql } = database
  const [brand, owner] = [newId(), newId()]
  await sql`insert into social.brands (id, platform_org_id, name, slug, time_zone)
    values (${brand}, ${newId()}, 'Chaos', 'chaos', 'UTC')`
  return {
    accounts: async (handles) => {
      for (const handle of handles) {
        await sql`insert into social.connections (id, brand_id, provider, owner_id, external_id, name)
          values (${newId()}, ${brand}, 'sandbox', ${owner}, ${handle}, ${handle})`
      }
    },
    schedule: async ({ perAccount, text, inMs = 0, spreadMs = 0 }) => {
      await sql`
        insert into social.posts (id, brand_id, author_id, provider, status, text, target, scheduled_at, due_at)
        select id, ${brand}, ${owner}, 'sandbox', 'scheduled', ${text}, target, at, at from (
          select gen_random_uuid() as id, jsonb_build_object('connectionId', c.id) as target,
            clock_timestamp() + make_interval(secs => (${inMs}::float8 + ${spreadMs}::float8
              * (row_number() over (order by n, c.id) - 1) / count(*) over ()) / 1000) as at
          from social.connections c cross join generate_series(1, ${perAccount}) n where c.brand_id = ${brand}
        ) planned`
    },
    statuses: async () => {
      const rows = await sql<{ status: string; count: number }[]>`
        select status, count(*)::int as count from social.posts group by status`
      return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
    },
    published: async () => [
      ...(await sql<{ account: string; id: string }[]>`
        select external_account as account, platform_post_id as id from social.posts where status = 'published'`),
    ],
    close: () => database.close(),
  }
}
