import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'
import { words } from '#lib/words.ts'
import { Proof } from '../second-factor/contract.ts'

/** Asks for the deletion of an organization. */
export const OrganizationDeletionRequest = Proof.extend({
  id: Id,
  confirm: words(100, 'Type the organization’s name.')
    .trim()
    .describe('The organization’s name, so that none is deleted by mistake.'),
})
export type OrganizationDeletionRequest = z.output<typeof OrganizationDeletionRequest>

/** The deletion of an organization while it can be cancelled. */
export const OrganizationDeletion = z.object({
  organizationId: Id,
  name: z.string(),
  requestedBy: z.object({ id: Id, name: z.string() }).nullable(),
  requestedAt: Timestamp,
  deletesAt: Timestamp.describe('When it becomes final: until then an owner can cancel it.'),
})
export type OrganizationDeletion = z.output<typeof OrganizationDeletion>
