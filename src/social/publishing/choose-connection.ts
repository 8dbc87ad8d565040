import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { eligible } from './claim.ts'

const Row = z.object({ id: z.string(), external_id: z.string() })

/** The connection that publishes a post: its author's first, else the brand's oldest other one (SOC-21). */
export async function chooseConnection(
  db: Database,
  postId: string,
): Promise<{ id: string; externalId: string } | undefined> {
  const rows = await db.execute(sql`
    select c.id, c.external_id from social.posts p join social.connections c on ${eligible()}
    where p.id = ${postId}
    order by c.owner_id = p.author_id desc, c.created_at, c.id limit 1`)
  const [chosen] = z.array(Row).parse([...rows])
  return chosen && { id: chosen.id, externalId: chosen.external_id }
}
