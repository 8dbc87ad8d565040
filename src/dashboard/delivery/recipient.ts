import { and, inArray } from 'drizzle-orm'
import type { AudienceMember } from '#identity'
import type { JobDependencies } from '#lib/job.ts'
import { visibleTo } from '../actions/visible.ts'
import { notifications } from '../schema.ts'
import { actorOfMember } from './audience.ts'
import { findPreferences, type Owner, type PreferencesRow } from './preferences/row.ts'

export interface Recipient {
  member: AudienceMember
  organization: { name: string }
  /** Of the given notifications. */
  visible: ReadonlySet<string>
  preferences: PreferencesRow
}

/** What a person can see now: a role may have changed since it was decided. Null for one who left. */
export async function findRecipient(
  { identity, database: { db } }: Pick<JobDependencies, 'identity' | 'database'>,
  owner: Owner,
  ids: readonly string[],
): Promise<Recipient | null> {
  const found = await identity.audience(owner.organizationId, { ids: [owner.personId], limit: 1 })
  const [member] = found.items
  if (!found.organization || !member) return null
  const organization = { id: owner.organizationId, ...found.organization }
  const visible = await visibleTo({ identity, actor: actorOfMember(member, organization) })
  const seen = await db
    .select({ id: notifications.id })
    .from(notifications)
    .where(and(inArray(notifications.id, [...ids]), visible))
  const preferences = await findPreferences(db, owner)
  return { member, organization, visible: new Set(seen.map(({ id }) => id)), preferences }
}
