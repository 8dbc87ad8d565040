import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Flag, name, Slug } from '../contract/fields.ts'

/** A form sends an empty text for the slug that is to be found by itself. */
const optionalSlug = z.preprocess((value) => (value === '' ? undefined : value), Slug.optional())

export const OrganizationDraft = z.object({
  name: name('The workspace’s name'),
  slug: optionalSlug,
  developerWorkspace: Flag,
})
export type OrganizationDraft = z.output<typeof OrganizationDraft>

export const OwnershipTransfer = z.object({ id: Id, userId: Id.describe('A member, who becomes its owner.') })
export type OwnershipTransfer = z.output<typeof OwnershipTransfer>
