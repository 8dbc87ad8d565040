import { z } from 'zod'
import { optionalField } from '#lib/text.ts'
import { Id } from '#lib/ids.ts'
import { TimeZone } from '#lib/time.ts'
import { Flag, name, Slug } from '../../contract/fields.ts'

export const OrganizationDraft = z.object({
  name: name('the organization’s name'),
  slug: optionalField(Slug),
  timeZone: optionalField(TimeZone),
  developerWorkspace: Flag,
})
export type OrganizationDraft = z.output<typeof OrganizationDraft>

export const OwnershipTransfer = z.object({ id: Id, userId: Id.describe('The member who becomes the owner.') })
export type OwnershipTransfer = z.output<typeof OwnershipTransfer>
