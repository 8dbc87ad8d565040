import { sql } from 'drizzle-orm'
import type { UnmetRequirement } from '#lib/actor.ts'
import {
  memberships,
  organizations,
  organizationSignIns,
  passkeys,
  sessions,
  totpAuthenticators,
  upstreamIdentities,
} from '../../schema.ts'

/** For a query that joins a session with an organization and its membership. */
export const unmetRequirements = {
  // Single sign-on leaves further factors to the organization’s provider.
  lacksSecondFactor: sql<boolean>`${organizations.requiresSecondFactor} AND NOT ${sessions.secondFactor}
    AND ${sessions.onlyIn} IS DISTINCT FROM ${organizations.id}`,
  // Owners can always sign in: a failing provider must not lock the organization out.
  lacksSso: sql<boolean>`${memberships.role} <> 'owner' AND ${sessions.onlyIn} IS DISTINCT FROM ${organizations.id}
    AND EXISTS (SELECT FROM ${organizationSignIns} WHERE ${organizationSignIns.organizationId} = ${organizations.id}
      AND ${organizationSignIns.required})`,
}

/** For a query that joins an organization and a membership: the person has what sessions there need. */
export const meetsRequirements = sql<boolean>`(
  EXISTS (SELECT FROM ${upstreamIdentities} WHERE ${upstreamIdentities.userId} = ${memberships.userId}
    AND ${upstreamIdentities.provider} = ${organizations.id}::text)
  OR (
    (NOT ${organizations.requiresSecondFactor}
      OR EXISTS (SELECT FROM ${totpAuthenticators} WHERE ${totpAuthenticators.userId} = ${memberships.userId}
        AND ${totpAuthenticators.confirmedAt} IS NOT NULL)
      OR EXISTS (SELECT FROM ${passkeys} WHERE ${passkeys.userId} = ${memberships.userId}))
    AND (${memberships.role} = 'owner'
      OR NOT EXISTS (SELECT FROM ${organizationSignIns} WHERE ${organizationSignIns.required}
        AND ${organizationSignIns.organizationId} = ${organizations.id}))))`

interface Row {
  organizationId: string | null
  name: string | null
  lacksSecondFactor: boolean | null
  lacksSso: boolean | null
}

/** Null when it meets all. */
export function unmetRequirementOf({
  organizationId,
  name,
  lacksSecondFactor,
  lacksSso,
}: Row): UnmetRequirement | null {
  if (!organizationId || !name) return null
  if (lacksSso) return { organizationId, name, needs: 'sso' }
  return lacksSecondFactor ? { organizationId, name, needs: 'second_factor' } : null
}
