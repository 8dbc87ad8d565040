import { desc, eq } from 'drizzle-orm'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { postCorrections } from '../schema.ts'
import type { CorrectionRow } from './row.ts'

export const newestFirst = (db: Database, postId: string) =>
  db
    .select()
    .from(postCorrections)
    .where(eq(postCorrections.postId, postId))
    .orderBy(desc(postCorrections.createdAt), desc(postCorrections.id))

export async function addNames({ identity }: Pick<Call, 'identity'>, rows: CorrectionRow[]) {
  const people = await identity.people([...new Set(rows.map(({ authorId }) => authorId))])
  return rows.map((row) => ({ ...row, authorName: people.get(row.authorId)?.name ?? null }))
}
