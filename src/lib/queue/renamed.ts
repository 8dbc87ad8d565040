import type { ISql } from 'postgres'
import { deadLetterQueue } from './dead-letters.ts'

/** Former names of queues whose jobs have no data of their own: the schedule enqueues them under the new name. */
const formerNames = ['identity.forget-expired', 'platform.forget-spent']

export async function deleteRenamedQueues(client: ISql): Promise<void> {
  const names = formerNames.flatMap((name) => [name, deadLetterQueue(name)])
  // A queue is deleted before its queue of failed jobs, which its jobs reference.
  const found = await client<{ name: string }[]>`
    SELECT name FROM pgboss.queue WHERE name IN ${client(names)} ORDER BY name`
  for (const { name } of found) await client`SELECT pgboss.delete_queue(${name})`
}
