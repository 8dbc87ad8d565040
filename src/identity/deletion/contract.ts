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

/** The same as one of its members sees it. */
export const WaitingDeletion = OrganizationDeletion.extend({ mayCancel: z.boolean() })

/** Asks for the deletion of the caller's account. */
export const AccountDeletionRequest = Proof.extend({
  confirm: words(254, 'Type your e-mail address.')
    .trim()
    .describe('The account’s e-mail address, so that none is deleted by mistake.'),
})
export type AccountDeletionRequest = z.output<typeof AccountDeletionRequest>

/** The deletion of an account while it can be cancelled. */
export const AccountDeletion = z.object({
  requestedAt: Timestamp,
  deletesAt: Timestamp.describe('When it becomes final: until then signing in offers to cancel it.'),
})

/** Browsers have the token as a cookie. */
export const AccountDeletionCancellation = z.object({
  cancellation: z.string().max(200).optional().describe('From the refusal `account_deletion_pending` of a sign-in.'),
})

/** An organization of which the calling service has to erase, or has erased, what it keeps. */
export const OrganizationErasure = z.object({ organizationId: Id })
