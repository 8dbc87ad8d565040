import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { countDeadLetters, listDeadLetters, listQueueDepths, takeDeadLetter } from '#lib/queue/dead-letters.ts'
import { conflict, notFound } from '#lib/errors.ts'

export async function listQueues({ db, queue }: Pick<Call, 'db' | 'queue'>) {
  const depths = await listQueueDepths(db)
  return depths.map((depth) => ({ ...depth, settings: queue.settings(depth.name) ?? null }))
}

type JobCall = Call<{ id: string }, Actor>

/** `declared` are the jobs of all servers. @throws {Problem} 404, 409 when no server processes its queue */
export async function retryJob({ db, queue, input }: JobCall, declared: ReadonlySet<string>): Promise<void> {
  const name = await queue.replay(db, input.id, declared)
  if (!name) throw notFound('job')
  recordChange(db, { object: 'job', id: input.id, before: { state: 'dead' }, after: { state: 'waiting', queue: name } })
}

/** Of one request, which has a deadline. */
const retryBatch = 500

/** The newest failed jobs of a queue. @throws {Problem} 404 for an unknown queue, 409 when no server processes it */
export async function retryQueue(
  { db, queue, input: { name } }: Call<{ name: string }, Actor>,
  declared: ReadonlySet<string>,
): Promise<{ retried: number; remaining: number }> {
  const { items } = await listDeadLetters(db, { queue: name, limit: retryBatch })
  if (items.length === 0 && !declared.has(name) && !queue.settings(name)) throw notFound('queue')
  let retried = 0
  // One that another request took meanwhile is not counted.
  for (const { id } of items) if (await queue.replay(db, id, declared)) retried += 1
  if (retried > 0) recordChange(db, { object: 'queue', id: name, after: { retried } })
  return { retried, remaining: await countDeadLetters(db, name) }
}

/** @throws {Problem} 404, and 409 before its `onRetriesExhausted` was called */
export async function discardJob({ db, queue, input }: JobCall): Promise<void> {
  const letter = await takeDeadLetter(db, input.id)
  if (!letter) throw notFound('job')
  if (letter.unsettled && queue.settles(letter.queue))
    throw conflict('job_settling', 'The failure of this job is still being processed. Try again in a few seconds.')
  recordChange(db, { object: 'job', id: input.id, before: { state: 'dead', queue: letter.queue } })
}
