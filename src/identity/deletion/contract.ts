import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'
import { plainText } from '#lib/text.ts'
import { Proof } from '../sign-in/second-factor/contract.ts'

export const OrganizationDeletionRequest = Proof.extend({
  id: Id,
  confirm: plainText(100, 'Enter the organization’s name.')
    .trim()
    .describe('The organization’s name, to confirm the deletion.'),
})
export type OrganizationDeletionRequest = z.output<typeof OrganizationDeletionRequest>

export const OrganizationDeletion = z.object({
  organizationId: Id,
  name: z.string(),
  requestedBy: z.object({ id: Id, name: z.string() }).nullable(),
  requestedAt: Timestamp,
  deletesAt: Timestamp.describe('When the deletion becomes final. Until then an owner can cancel it.'),
})
export type OrganizationDeletion = z.output<typeof OrganizationDeletion>

export const OwnOrganizationDeletion = OrganizationDeletion.extend({
  can: z.object({ cancel: z.boolean() }).describe('The actions that you can perform on the deletion.'),
})
export type OwnOrganizationDeletion = z.output<typeof OwnOrganizationDeletion>

export const AccountDeletionRequest = Proof.extend({
  confirm: plainText(254, 'Enter your email address.')
    .trim()
    .describe('The account’s email address, to confirm the deletion.'),
})
export type AccountDeletionRequest = z.output<typeof AccountDeletionRequest>

export const AccountDeletion = z.object({
  requestedAt: Timestamp,
  deletesAt: Timestamp.describe('When the deletion becomes final. Until then the user can sign in to cancel it.'),
})

export const accountDeletionPath = '/login/deletion'

export const CancelableAccountDeletion = z.object({
  email: z.string(),
  deletesAt: Timestamp.describe('When the deletion becomes final.'),
})
export type CancelableAccountDeletion = z.output<typeof CancelableAccountDeletion>

/** Browsers send the token as a cookie. */
export const AccountDeletionCancellation = z.object({
  cancellation: z
    .string()
    .max(200)
    .optional()
    .describe('The token from the `account_deletion_pending` problem that the sign-in returned.'),
})

export const OrganizationErasure = z.object({ organizationId: Id })

export const AccountErasure = z.object({ userId: Id })
