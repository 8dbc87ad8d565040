import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { invalid } from '#lib/errors.ts'
import { parseNanoUsd, UnitsInput } from '#lib/money.ts'
import { nullableField, optionalField } from '#lib/text.ts'
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

/** What people enter. */
const Dollars = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,9})?$/, 'Must be US dollars, such as 200 or 0.50.')
  .transform(parseNanoUsd)
  .refine((amount) => amount <= BigInt(Number.MAX_SAFE_INTEGER), 'Must be at most 9,007,199 US dollars.')

const amounts = {
  limitNanoUsd: Amount.optional().describe('Required unless limitUsd is sent.'),
  limitUsd: optionalField(Dollars).describe('US dollars as a decimal, instead of limitNanoUsd.'),
}

/** @throws {Problem} 422 without one */
export function amountOf({ limitNanoUsd, limitUsd }: { limitNanoUsd?: bigint; limitUsd?: bigint }): bigint {
  const amount = limitNanoUsd ?? limitUsd
  if (amount === undefined) throw invalid([{ path: 'limitNanoUsd', message: 'Required.' }])
  return amount
}

export const LimitInput = z
  .object({
    scope_type: ScopeType,
    scope_value: optionalField(Name).describe(
      '“platform”, the organization’s ID (your own when not set), or the ID of an application or API key.',
    ),
    family: nullableField(Family).default(null).describe('Null for all families together.'),
    period: Period.describe('A week begins on Monday, in the limit’s time zone.'),
    ...amounts,
    mode: LimitMode.describe('observe records, soft passes and warns, hard refuses.'),
    timeZone: TimeZone.default('UTC'),
    everyOrganization: z
      .boolean()
      .default(false)
      .describe('For super admins: an application’s limit counts its usage in all organizations.'),
  })
  .superRefine(({ scope_type: type, scope_value: value, everyOrganization }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (type === 'platform' && value !== undefined && value !== 'platform')
      refuse('scope_value', 'Must be “platform” for the platform.')
    if (type === 'organization' && value !== undefined && !Id.safeParse(value).success)
      refuse('scope_value', 'Must be an organization’s ID.')
    if (type === 'application' && value === undefined) refuse('scope_value', 'Required for an application.')
    if (type !== 'application' && everyOrganization)
      refuse('everyOrganization', 'Must be false unless the scope is an application.')
  })
export type LimitInput = z.output<typeof LimitInput>

export const LimitChange = z
  .object({
    id: Id,
    ...amounts,
    mode: LimitMode.optional(),
    timeZone: TimeZone.optional(),
  })
  .refine(
    ({ limitNanoUsd, limitUsd, mode, timeZone }) =>
      [limitNanoUsd, limitUsd, mode, timeZone].some((value) => value !== undefined),
    {
      error: 'Send at least one of limitNanoUsd, mode and timeZone.',
      path: ['limitNanoUsd'],
    },
  )
export type LimitChange = z.output<typeof LimitChange>

/** A limit that doesn't exist yet. */
export const LimitDraft = z.object({
  scope_type: ScopeType.exclude(['platform']),
  scope_value: optionalField(Name),
  family: nullableField(Family).default(null),
  period: Period,
  limitUsd: Dollars.describe('US dollars as a decimal.'),
  mode: LimitMode.default('hard'),
  timeZone: TimeZone.default('UTC'),
})
export type LimitDraft = z.output<typeof LimitDraft>
