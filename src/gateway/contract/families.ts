import { z } from 'zod'

/** What usage is counted as (GTW-32). */
export const families = ['ai', 'translation', 'infrastructure', 'email', 'requests', 'video_quota'] as const
export const Family = z.enum(families)
export type Family = z.output<typeof Family>

export const scopeTypes = ['platform', 'organization', 'application'] as const
export const ScopeType = z.enum(scopeTypes)
export type ScopeType = z.output<typeof ScopeType>

export const periods = ['hour', 'day', 'week', 'month', 'total'] as const
export const Period = z.enum(periods)
export type Period = z.output<typeof Period>

export const limitModes = ['observe', 'soft', 'hard'] as const
export const LimitMode = z.enum(limitModes)
export type LimitMode = z.output<typeof LimitMode>

/** How sure a row's cost is: the provider's own figure, our bound, or the upper bound of an interrupted request. */
export const certainties = ['exact', 'estimated', 'suspect'] as const
export const Certainty = z.enum(certainties)
export type Certainty = z.output<typeof Certainty>

/** Whose credential a provider was called with; reported usage is the platform's when one of its services reported it. */
export const payers = ['platform', 'organization'] as const
export const Payer = z.enum(payers)
export type Payer = z.output<typeof Payer>
