import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { job } from '#lib/job.ts'
import { listCauses, raiseAction, resolveAction } from '#lib/raised-actions.ts'
import { Provider } from '../contract.ts'
import { networkOf } from '../networks/index.ts'
import { brands } from '../schema.ts'
import { listAccountActions, listEndingActions } from './accounts.ts'
import { listCommentActions } from './failed-comments.ts'
import { listPostActions } from './failed-posts.ts'
import { causesOf, type Subject } from './subject.ts'
import { listUnreadyActions } from './unready-posts.ts'

const Input = z.object({ brandId: Id, provider: Provider })
type Input = z.output<typeof Input>

/**
 * What people have to do about posts and accounts of one brand on one network. A job, since posts of one transaction are
 * locked one after the other; without `uniqueBy`, whose key would be a lock between them.
 */
export const updateActions = job({
  name: 'social.update-actions',
  input: Input,
  concurrency: 2,
  run: ({ input, database, now }) => database.transaction((tx) => updateActionsOf(tx, input, now())),
})

/** On the transaction of a post that failed or no longer does, or of an account whose state changed. */
export const enqueueActions = (
  db: Database,
  { queue }: Pick<Call, 'queue'>,
  { brandId, provider }: Input,
): Promise<void> => queue.enqueue(db, updateActions, { brandId, provider })

async function updateActionsOf(tx: Database, input: Input, now: Date): Promise<void> {
  const prefix = causesOf(input)
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${prefix}, 0))`)
  // Until the end the brand stays in its organization.
  const [brand] = await tx.select().from(brands).where(eq(brands.id, input.brandId)).for('share')
  const wanted = brand ? await listWanted(tx, { ...input, brandName: brand.name }, now) : []
  for (const { key, ...action } of wanted)
    await raiseAction(tx, {
      ...action,
      cause: `${prefix}${key}`,
      organizationId: brand?.organizationId ?? '',
      resource: { kind: 'brand', id: input.brandId },
    })
  const causes = new Set(wanted.map(({ key }) => `${prefix}${key}`))
  for (const cause of await listCauses(tx, prefix)) if (!causes.has(cause)) await resolveAction(tx, cause)
}

async function listWanted(tx: Database, known: Omit<Subject, 'network'>, now: Date) {
  const subject = { ...known, network: networkOf(known.provider)?.name ?? known.provider }
  const accounts = await listAccountActions(tx, subject)
  return [
    ...accounts,
    ...(await listEndingActions(tx, subject, now)),
    ...(await listPostActions(tx, subject, { isSignedOut: accounts.length > 0 })),
    ...(await listCommentActions(tx, subject, { isSignedOut: accounts.length > 0 })),
    ...(await listUnreadyActions(tx, subject, now)),
  ]
}
