import { and, eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { JobDependencies } from '#lib/job.ts'
import { counted } from '#lib/text.ts'
import { chatWebhooks } from '../../schema.ts'
import type { RaisingStep } from './steps.ts'
import type { Run } from './claim.ts'

interface Audience {
  people: readonly string[]
  /** For the log: who or what isn't notified. */
  result: string | null
}

/** The people of a step who are still members. Asks identity, so before a transaction opens. */
export async function audienceOf(
  { identity, database }: JobDependencies,
  run: Run,
  step: RaisingStep,
): Promise<Audience> {
  if (step.type !== 'notify') return { people: [], result: null }
  if (step.role !== undefined) {
    const isLeftOut = step.chat === true && !(await hasChat(database.db, run.organizationId))
    return { people: [], result: isLeftOut ? 'No chat is connected or turned on, so it was not posted there.' : null }
  }
  if (step.people.length === 0) return { people: [], result: 'Its members left the organization. No one was notified.' }
  const areMembers = await Promise.all(step.people.map((id) => identity.isMember(run.organizationId, id)))
  const people = step.people.filter((_, at) => areMembers[at])
  const left = step.people.length - people.length
  if (left === 0) return { people, result: null }
  return {
    people,
    result: `${counted(left, 'member')} left the organization and ${left === 1 ? 'was' : 'were'} skipped. ${people.length} notified.`,
  }
}

const hasChat = async (db: Database, organizationId: string): Promise<boolean> =>
  (await db.$count(chatWebhooks, and(eq(chatWebhooks.organizationId, organizationId), chatWebhooks.enabled))) > 0
