import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { postCorrections } from '../schema.ts'

const isCorrected = eq(postCorrections.state, 'corrected')

/** Who corrected published posts, and so wrote some of what a copy of them contains. */
export async function listCorrectors(db: Database, postIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectDistinct({ authorId: postCorrections.authorId })
    .from(postCorrections)
    .where(and(inArray(postCorrections.postId, [...postIds]), isCorrected))
  return rows.map(({ authorId }) => authorId)
}

/** The text with which a post was published, and which was approved before. */
export async function readPublishedText(db: Database, { id, text }: { id: string; text: string }): Promise<string> {
  const [first] = await db
    .select({ text: postCorrections.formerText })
    .from(postCorrections)
    .where(and(eq(postCorrections.postId, id), isCorrected))
    .orderBy(asc(postCorrections.createdAt), asc(postCorrections.id))
    .limit(1)
  return first?.text ?? text
}
