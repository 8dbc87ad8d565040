import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Flag, name, Slug } from '../../contract/fields.ts'

/** Forms send an empty text for a slug that the server chooses. */
const optionalSlug = z.preprocess((value) => (value === '' ? undefined : value), Slug.optional())

export const OrganizationDraft = z.object({
  name: name('the organization’s name'),
  slug: optionalSlug,
  developerWorkspace: Flag,
})
export type OrganizationDraft = z.output<typeof OrganizationDraft>

export const OwnershipTransfer = z.object({ id: Id, userId: Id.describe('The member who becomes the owner.') })
export type OwnershipTransfer = z.output<typeof OwnershipTransfer>
