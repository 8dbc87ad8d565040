import { z } from 'zod'
import { nullableField } from '#lib/text.ts'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'
import { email, name } from '../../contract/fields.ts'
import { Person } from '../../contract/people.ts'

const householdName = name('the household’s name')

export const HouseholdDraft = z.object({ name: householdName })

export const HouseholdEdit = z.object({ id: Id, name: householdName })
export type HouseholdEdit = z.output<typeof HouseholdEdit>

export const Household = z.object({
  id: Id,
  name: z.string(),
  selected: z.boolean().describe('Whether this is the household of your personal context.'),
  members: z.array(Person),
})
export type Household = z.output<typeof Household>

export const HouseholdChoice = z.object({
  householdId: nullableField(Id),
})

export const HouseholdInvitationDraft = z.object({ id: Id, email })
export type HouseholdInvitationDraft = z.output<typeof HouseholdInvitationDraft>

/** The same for every address, so that it doesn't reveal who has an account. */
export const HouseholdInvitationSent = z.object({ householdId: Id, email: z.string() })

export const HouseholdInvitation = z.object({
  id: Id,
  household: z.object({ id: Id, name: z.string() }),
  invitedBy: Person,
  expiresAt: Timestamp,
})
export type HouseholdInvitation = z.output<typeof HouseholdInvitation>
