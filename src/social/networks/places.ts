import { sql, type SQL } from 'drizzle-orm'
import type { Target } from '../contract.ts'

/** A place within an account that a target can name, such as a Group (SOC-10). */
export type PlaceField = Exclude<keyof Target, 'connectionId'>

/** Whether account `c` has the places that a target names: in its metadata, or because it is itself the place. */
export const hasPlacesOf = (target: SQL): SQL => sql`
  ${hasListed(target, 'pageId', 'pages')} and ${hasListed(target, 'groupId', 'groups')}
  and ${hasListed(target, 'organizationId', 'organizations')}
  and coalesce(${target}->>'accountId', c.external_id) = c.external_id
  and coalesce(${target}->>'threadAccountId', c.external_id) = c.external_id`

const hasListed = (target: SQL, field: PlaceField, list: string) => sql`
  (${target}->>${field} is null
    or c.metadata->${list} @> jsonb_build_array(jsonb_build_object('id', ${target}->>${field})))`

/** The Page or Group that a target names within its account; null when that is the account itself. */
export function chosenPlaceOf(target: Target | null): { pageId?: string; groupId?: string } | null {
  const { pageId, groupId } = target ?? {}
  if (groupId !== undefined) return { groupId }
  return pageId === undefined ? null : { pageId }
}
