import type { limits } from '../schema.ts'

export type Limit = Pick<
  typeof limits.$inferSelect,
  | 'id'
  | 'organizationId'
  | 'scopeType'
  | 'scopeValue'
  | 'family'
  | 'period'
  | 'mode'
  | 'limitNanoUsd'
  | 'timeZone'
  | 'countsFrom'
>

interface Scope {
  type: Limit['scopeType']
  value: string
}

interface Facts {
  organizationId: string
  applicationId: string | null
  apiKeyId: string | null
}

/** Every scope at which a request counts (GTW-33). */
export function scopesOf({ organizationId, applicationId, apiKeyId }: Facts): Scope[] {
  const applications = new Set([applicationId, apiKeyId].filter((value) => value !== null))
  return [
    { type: 'platform', value: 'platform' },
    { type: 'organization', value: organizationId },
    ...[...applications].map((value): Scope => ({ type: 'application', value })),
  ]
}

export const scopeKey = ({ type, value }: Scope): string => `${type}/${value}`

/** Of the limits of the request's scopes: those that count it. */
export const applies = (
  { organizationId, family }: Pick<Limit, 'organizationId' | 'family'>,
  request: { organizationId: string; family: string },
): boolean =>
  (organizationId === null || organizationId === request.organizationId) &&
  (family === null || family === request.family)
