import { and, eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { householdMembers, households } from '../../schema.ts'

export interface SelectedHousehold {
  selectedHouseholdId: string | null
  selectedHousehold: { id: string; name: string } | null
}

/** For an organization's context, and for third-party apps. */
export const noHousehold: SelectedHousehold = { selectedHouseholdId: null, selectedHousehold: null }

export async function selectedHousehold(
  db: Database,
  userId: string,
  organization: object | null,
): Promise<SelectedHousehold> {
  if (organization) return noHousehold
  const [household = null] = await db
    .select({ id: households.id, name: households.name })
    .from(householdMembers)
    .innerJoin(households, eq(households.id, householdMembers.householdId))
    .where(and(eq(householdMembers.userId, userId), eq(householdMembers.selected, true)))
  return { selectedHouseholdId: household?.id ?? null, selectedHousehold: household }
}
