import type { Payer } from '../contract/families.ts'
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

/** Whether a limit counts only what the platform pays: usage that organizations pay must not exhaust it for others. */
export const countsPlatformOnly = ({ scopeType }: Pick<Limit, 'scopeType'>): boolean => scopeType === 'platform'

/** Whether it counts usage of several organizations, whose amounts only super admins see. */
export const isShared = ({ organizationId, scopeType }: Pick<Limit, 'organizationId' | 'scopeType'>): boolean =>
  organizationId === null && scopeType !== 'organization'

/** Of the limits of the request's scopes: those that count it. */
export const applies = (
  { organizationId, family, scopeType }: Pick<Limit, 'organizationId' | 'family' | 'scopeType'>,
  request: { organizationId: string; family: string; paidBy: Payer },
): boolean =>
  (request.paidBy === 'platform' || !countsPlatformOnly({ scopeType })) &&
  (organizationId === null || organizationId === request.organizationId) &&
  (family === null || family === request.family)
