import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'
import { Entitlement } from '../entitlements/contract.ts'
import { Role, principalType, email, name, Slug, NewPassword } from './fields.ts'

/** What of an organization its owners may change. */
export const OrganizationEdit = z
  .object({
    id: Id,
    name: name('The workspace’s name').optional(),
    slug: Slug.optional(),
    requiresSecondFactor: z.union([z.boolean(), z.stringbool()]).optional(),
  })
  .refine((edit) => edit.name ?? edit.slug ?? edit.requiresSecondFactor !== undefined, 'Send what is to change.')
export type OrganizationEdit = z.infer<typeof OrganizationEdit>

export const Organization = z.object({
  id: Id,
  slug: z.string(),
  name: z.string(),
  role: Role,
  requiresSecondFactor: z.boolean().describe('Only sessions that showed two factors work in it.'),
})
export type Organization = z.infer<typeof Organization>

/** An organization with what is settled about it (IDN-10). */
export const OrganizationDetail = Organization.extend({
  developerWorkspace: z.boolean(),
  settings: z.object({ appEntitlement: Entitlement.describe('What it has paid for.') }),
})
export type OrganizationDetail = z.infer<typeof OrganizationDetail>

export const Member = z.object({
  id: Id,
  email: z.string(),
  name: z.string(),
  principalType,
  role: Role,
  joinedAt: Timestamp,
  secondFactor: z
    .boolean()
    .nullable()
    .describe('Whether they have an authenticator app or a passkey; null for agents, and for readers below admin.'),
})
export type Member = z.infer<typeof Member>

/** What of a member other services are told. */
export const Colleague = Member.pick({ id: true, name: true, email: true })
export type Colleague = z.infer<typeof Colleague>

/** Somebody who was asked into an organization and has not come yet. */
export const Invitation = z.object({
  id: Id,
  email: z.string(),
  role: Role,
  invitedBy: z.object({ id: Id, name: z.string() }).nullable(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  expired: z.boolean(),
  delivery: z
    .object({ state: z.enum(['waiting', 'sent', 'refused', 'kept']), problem: z.string().nullable() })
    .nullable()
    .describe('How far the mail has come; null once that is forgotten.'),
})
export type Invitation = z.infer<typeof Invitation>

export const InvitationDraft = z.object({ id: Id, email, role: Role })

export const InvitationToken = z.object({ token: z.string().max(200) })

/** Signing up by an invitation, which names the e-mail address. */
export const InvitedRegistration = InvitationToken.extend({ name: name('Your name'), password: NewPassword })
export type InvitedRegistration = z.infer<typeof InvitedRegistration>

export const MemberEdit = z.object({ id: Id, userId: Id, role: Role })
export type MemberEdit = z.infer<typeof MemberEdit>

/** False also for an organization that isn't there. */
export const OrganizationState = z.object({ suspended: z.boolean() })
