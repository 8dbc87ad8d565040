import { and, eq, sql } from 'drizzle-orm'
import { recordChange } from '#lib/audit.ts'
import type { Database } from '#lib/db.ts'
import type { EmitDependencies } from '#lib/outgoing-webhooks/emit.ts'
import type { ChangeCall } from '../change-call.ts'
import { emitCorrection } from '../events.ts'
import { auditedFields } from '../posts/posts.ts'
import { nextVersion } from '../posts/next-version.ts'
import { publishPostChanges } from '../posts/transitions.ts'
import { postCorrections, posts } from '../schema.ts'
import type { CorrectionRow } from './row.ts'

export type CorrectionResult =
  { state: 'corrected' } | { state: 'failed' | 'unknown'; failureCode: string; failureMessage: string }

export const unconfirmed = (message: string): CorrectionResult => ({
  state: 'unknown',
  failureCode: 'outcome_unknown',
  failureMessage: `We couldn’t confirm the correction. Look at the post, and send it again if it is missing. (${message})`,
})

type Settling = EmitDependencies & Pick<ChangeCall, 'events'>

/** The first result counts: another process can have settled it meanwhile. On an audited transaction. */
export async function settle(
  tx: Database,
  call: Settling,
  { id, postId }: CorrectionRow,
  result: CorrectionResult,
): Promise<CorrectionRow> {
  const [before] = await tx.select().from(posts).where(eq(posts.id, postId)).for('update')
  const [settled] = await tx
    .update(postCorrections)
    .set({ ...result, settledAt: sql`clock_timestamp()` })
    .where(and(eq(postCorrections.id, id), eq(postCorrections.state, 'sending')))
    .returning()
  if (!settled || !before) {
    const [present] = await tx.select().from(postCorrections).where(eq(postCorrections.id, id))
    if (!present) throw new Error('A correction was erased while it was being sent')
    return present
  }
  const post = settled.state === 'corrected' ? await replaceText(tx, settled) : before
  recordChange(tx, {
    object: 'post',
    id: postId,
    before: { ...auditedFields(before), correction: null },
    after: { ...auditedFields(post), correction: { state: settled.state, reason: settled.reason } },
  })
  await publishPostChanges({ db: tx, events: call.events }, [post])
  await emitCorrection(tx, call, { post, correction: settled })
  return settled
}

async function replaceText(tx: Database, { postId, text, authorId }: CorrectionRow) {
  const [post] = await tx
    .update(posts)
    .set({ text, ...nextVersion(authorId) })
    .where(eq(posts.id, postId))
    .returning()
  if (!post) throw new Error('A post disappeared while it was locked')
  return post
}
