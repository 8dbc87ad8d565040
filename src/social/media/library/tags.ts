import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Database } from '#lib/db.ts'
import * as brands from '../../brands/brands.ts'

/** Tags of the newest files; older ones are found by the search. */
const maxRead = 2_000
const maxTags = 100

const Row = z.object({ tag: z.string(), files: z.number() })

/** By name. @throws {Problem} 404 for a brand of another organization */
export async function listTags(db: Database, actor: Actor, brandId: string): Promise<z.output<typeof Row>[]> {
  await brands.get(db, actor, brandId)
  const rows = await db.execute(sql`
    WITH newest AS (
      SELECT tags FROM social.media WHERE brand_id = ${brandId} ORDER BY id DESC LIMIT ${maxRead}
    ), frequent AS (
      SELECT tag, count(*)::int AS files FROM newest, unnest(tags) AS tag
      GROUP BY tag ORDER BY files DESC, tag LIMIT ${maxTags}
    )
    SELECT tag, files FROM frequent ORDER BY lower(tag), tag`)
  return rows.map((row) => Row.parse(row))
}
