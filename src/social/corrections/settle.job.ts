import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { auditedJobTransaction } from '#lib/audit.ts'
import { Id } from '#lib/ids.ts'
import { job, type JobDependencies, type TypedJob } from '#lib/job.ts'
import { publicUrlOfJob } from '#lib/public-url.ts'
import { findPublisher } from '../accounts/find-publisher.ts'
import { openAccount } from '../accounts/tokens/tokens.ts'
import { networkOf } from '../networks/index.ts'
import { outsideOf } from '../networks/outside.ts'
import { chosenPlaceOf } from '../networks/places.ts'
import { videoOf } from '../publishing/send-context.ts'
import { postCorrections, posts } from '../schema.ts'
import { settle, unconfirmed, type CorrectionResult } from './settle.ts'

const name = 'social.settle-correction'

/** Reads the post of a correction whose server stopped before it could store the outcome. */
export const settleForgotten: TypedJob<{ id: string }> = job({
  name,
  input: z.object({ id: Id }),
  run: async (work) => {
    const { database, input, now } = work
    const [row] = await database.db
      .select({ correction: postCorrections, post: posts })
      .from(postCorrections)
      .innerJoin(posts, eq(posts.id, postCorrections.postId))
      .where(eq(postCorrections.id, input.id))
    if (row?.correction.state !== 'sending') return
    const { correction, post } = row
    const result = await readResult(work, post, correction.text)
    await auditedJobTransaction(database, { operation: name, now, service: 'platform-socialize' }, (tx) =>
      settle(tx, work, correction, result),
    )
  },
})

async function readResult(
  work: JobDependencies,
  post: typeof posts.$inferSelect,
  text: string,
): Promise<CorrectionResult> {
  const { config, database, outbound, secrets } = work
  const corrections = networkOf(post.provider)?.corrections
  const connection = await findPublisher(database.db, post)
  const { platformPostId } = post
  if (!corrections || !connection || !platformPostId) return unconfirmed('The account is no longer connected.')
  const account = openAccount(secrets, connection)
  const check = await corrections.check({
    account: { ...account, metadata: { ...account.metadata, ...chosenPlaceOf(post.target) } },
    platformPostId,
    text,
    video: videoOf(work, post),
    outside: outsideOf(config, publicUrlOfJob('/', config), outbound),
    signal: AbortSignal.timeout(config.PROVIDER_TIMEOUT_MS),
  })
  if (check.kind === 'corrected') return { state: 'corrected' }
  if (check.kind !== 'not_corrected') return unconfirmed(check.message)
  return {
    state: 'failed',
    failureCode: 'answer_lost',
    failureMessage: 'The server stopped before the network had the correction. Send it again.',
  }
}
