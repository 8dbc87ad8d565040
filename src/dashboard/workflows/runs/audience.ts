import type { JobDependencies } from '#lib/job.ts'
import { counted } from '#lib/text.ts'
import type { RaisingStep } from './steps.ts'
import type { Run } from './claim.ts'

interface Audience {
  people: readonly string[]
  /** For the log: who isn't notified. */
  result: string | null
}

/** The people of a step who are still members. Asks identity, so before a transaction opens. */
export async function audienceOf({ identity }: JobDependencies, run: Run, step: RaisingStep): Promise<Audience> {
  if (step.type !== 'notify' || step.role !== undefined) return { people: [], result: null }
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
