import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import type { ConnectionRow } from '../accounts/tokens/tokens.ts'
import { eligibleConnections, isWorking } from './claim.ts'

const Row = z
  .object({
    id: z.string(),
    external_id: z.string(),
    host: z.string(),
    metadata: z.record(z.string(), z.unknown()),
    sealed_tokens: z.string().nullable(),
    expires_at: z.coerce.date().nullable(),
    works: z.boolean(),
  })
  .transform((row) => ({
    ...row,
    externalId: row.external_id,
    sealedTokens: row.sealed_tokens,
    expiresAt: row.expires_at,
  }))

/** Its author's first, else the brand's oldest (SOC-21); a signed-out one comes last, and doesn't work. */
export async function chooseConnection(
  db: Database,
  postId: string,
): Promise<(ConnectionRow & { works: boolean }) | undefined> {
  const rows = await db.execute(sql`
    select c.id, c.external_id, c.host, c.metadata, c.sealed_tokens, c.expires_at, ${isWorking} as works
    from social.posts p join social.connections c on ${eligibleConnections()}
    where p.id = ${postId}
    order by ${isWorking} desc, c.owner_id = p.author_id desc, c.created_at, c.id limit 1`)
  const [chosen] = z.array(Row).parse([...rows])
  return chosen
}
