import { and, eq, inArray, ne } from 'drizzle-orm'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { listCauses, resolveAction } from '#lib/raised-actions.ts'
import { enqueueReviewActions } from '../review/actions.ts'
import { connections, firstComments, postChecks, posts } from '../schema.ts'
import { causesOfBrand } from './subject.ts'
import { enqueueActions } from './update-actions.ts'

/** On the transaction that gives the brand to another organization, where they are raised again. */
export async function moveActions(tx: Database, call: Pick<Call, 'queue'>, brandId: string): Promise<void> {
  for (const cause of await listCauses(tx, causesOfBrand(brandId))) await resolveAction(tx, cause)
  const failed = tx
    .selectDistinct({ provider: posts.provider })
    .from(posts)
    .where(and(eq(posts.brandId, brandId), eq(posts.status, 'failed')))
  const signedOut = tx
    .selectDistinct({ provider: connections.provider })
    .from(connections)
    .where(and(eq(connections.brandId, brandId), ne(connections.health, 'ok')))
  const unready = tx
    .selectDistinct({ provider: postChecks.provider })
    .from(postChecks)
    .where(and(eq(postChecks.brandId, brandId), eq(postChecks.state, 'problem')))
  const uncommented = tx
    .selectDistinct({ provider: firstComments.provider })
    .from(firstComments)
    .where(and(eq(firstComments.brandId, brandId), inArray(firstComments.state, ['failed', 'unknown'])))
  for (const { provider } of await failed.union(signedOut).union(unready).union(uncommented))
    await enqueueActions(tx, call, { brandId, provider })
  await enqueueReviewActions(tx, call, brandId)
}
