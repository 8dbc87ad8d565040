import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { UnitsInput } from '#lib/money.ts'
import { TimeZone } from '#lib/time.ts'
import { Family, LimitMode, Period, ScopeType } from '../contract/families.ts'

/** A request ID, or an application’s. */
export const Name = z
  .string()
  .min(1, 'Required.')
  .max(200, 'Must have at most 200 characters.')
  .regex(/^[\x21-\x7e]+$/, 'Must be visible ASCII characters without spaces.')

export const Amount = z
  .int('Must be a whole number of nano-USD (1 USD is 1000000000).')
  .min(0, 'Must be 0 or more.')
  .pipe(UnitsInput)

export const LimitInput = z
  .object({
    scope_type: ScopeType,
    scope_value: Name.describe('“platform”, the organization’s ID, or the ID of an application or API key.'),
    family: Family.nullable().default(null).describe('Null for all families together.'),
    period: Period.describe('A week begins on Monday, in the limit’s time zone.'),
    limitNanoUsd: Amount,
    mode: LimitMode.describe('observe records, soft passes and warns, hard refuses.'),
    timeZone: TimeZone.default('UTC'),
    everyOrganization: z
      .boolean()
      .default(false)
      .describe('For super admins: an application’s limit counts its usage in all organizations.'),
  })
  .superRefine(({ scope_type: type, scope_value: value, everyOrganization }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (type === 'platform' && value !== 'platform') refuse('scope_value', 'Must be “platform” for the platform.')
    if (type === 'organization' && !Id.safeParse(value).success) refuse('scope_value', 'Must be an organization’s ID.')
    if (type !== 'application' && everyOrganization)
      refuse('everyOrganization', 'Must be false unless the scope is an application.')
  })
export type LimitInput = z.output<typeof LimitInput>

export const LimitChange = z
  .object({
    id: Id,
    limitNanoUsd: Amount.optional(),
    mode: LimitMode.optional(),
    timeZone: TimeZone.optional(),
  })
  .refine(({ limitNanoUsd, mode, timeZone }) => limitNanoUsd !== undefined || mode || timeZone, {
    error: 'Send at least one of limitNanoUsd, mode and timeZone.',
    path: ['limitNanoUsd'],
  })
export type LimitChange = z.output<typeof LimitChange>
