import { sql } from 'drizzle-orm'
import type { Bar } from '#lib/actor.ts'
import { memberships, organizations, organizationSignIns, sessions } from '../schema.ts'

/** What a session lacks for the organization that a query joins with it; the person is a member. */
export const unmetRequirements = {
  // An organization's own provider sees to its people's factors itself.
  lacksSecondFactor: sql<boolean>`${organizations.requiresSecondFactor} AND NOT ${sessions.secondFactor}
    AND ${sessions.onlyIn} IS DISTINCT FROM ${organizations.id}`,
  // Owners keep their own way in: a provider that fails must not lock everybody out.
  lacksOwnSignIn: sql<boolean>`${memberships.role} <> 'owner' AND ${sessions.onlyIn} IS DISTINCT FROM ${organizations.id}
    AND EXISTS (SELECT FROM ${organizationSignIns} WHERE ${organizationSignIns.organizationId} = ${organizations.id}
      AND ${organizationSignIns.required})`,
}

interface Row {
  organizationId: string | null
  name: string | null
  lacksSecondFactor: boolean | null
  lacksOwnSignIn: boolean | null
}

/** What a session lacks for the organization that a row was joined with; null when nothing. */
export function unmetRequirementOf({ organizationId, name, lacksSecondFactor, lacksOwnSignIn }: Row): Bar | null {
  if (!organizationId || !name) return null
  if (lacksOwnSignIn) return { organizationId, name, needs: 'own_sign_in' }
  return lacksSecondFactor ? { organizationId, name, needs: 'second_factor' } : null
}
