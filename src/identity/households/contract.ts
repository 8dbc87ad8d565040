import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'
import { email, name } from '../contract/fields.ts'
import { Person } from '../contract/people.ts'

const householdName = name('the household’s name')

export const HouseholdDraft = z.object({ name: householdName })

export const HouseholdEdit = z.object({ id: Id, name: householdName })
export type HouseholdEdit = z.output<typeof HouseholdEdit>

/** A household that one belongs to. */
export const Household = z.object({
  id: Id,
  name: z.string(),
  selected: z.boolean().describe('It is the one of your personal context.'),
  members: z.array(Person),
})
export type Household = z.output<typeof Household>

/** Which household the personal context has; a form sends none as an empty text. */
export const HouseholdChoice = z.object({
  householdId: z.preprocess((value) => (value === '' ? null : value), Id.nullable()),
})

export const HouseholdInvitationDraft = z.object({ id: Id, email })
export type HouseholdInvitationDraft = z.output<typeof HouseholdInvitationDraft>

/** The same for every address: nobody learns who has an account. */
export const HouseholdInvited = z.object({ householdId: Id, email: z.string() })

/** A household that one is asked into. */
export const HouseholdInvitation = z.object({
  id: Id,
  household: z.object({ id: Id, name: z.string() }),
  invitedBy: Person,
  expiresAt: Timestamp,
})
export type HouseholdInvitation = z.output<typeof HouseholdInvitation>
