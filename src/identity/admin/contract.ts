import { z } from 'zod'
import { optionalField, plainText } from '#lib/text.ts'
import { Id } from '#lib/ids.ts'
import { paging } from '#lib/paginate.ts'
import { Timestamp } from '#lib/time.ts'
import { OwnSession } from '../contract.ts'
import { Role } from '../contract/fields.ts'

const Admin = z.object({ id: Id, name: z.string() })

export const SuperAdminInvitation = z.object({
  email: z.string(),
  hasAccount: z
    .boolean()
    .describe('Whether the address already has an account. Its password is then required to accept the invitation.'),
})
export type SuperAdminInvitation = z.output<typeof SuperAdminInvitation>

/** In force while `liftedAt` is null. */
export const SuspensionEntry = z.object({
  id: Id,
  reason: z.string(),
  suspendedBy: Admin.nullable(),
  suspendedAt: Timestamp,
  liftedBy: Admin.nullable(),
  liftedAt: Timestamp.nullable(),
})
export type SuspensionEntry = z.output<typeof SuspensionEntry>

export const AdminOrganization = z.object({
  id: Id,
  slug: z.string(),
  name: z.string(),
  logoUrl: z.string().nullable(),
  createdAt: Timestamp,
  members: z.number().int(),
  state: z.enum(['active', 'suspended', 'deleting']),
  deletesAt: Timestamp.nullable().describe('When the deletion becomes final; null when none is scheduled.'),
})
export type AdminOrganization = z.output<typeof AdminOrganization>

export const AdminOrganizationDetail = AdminOrganization.extend({
  owners: z.array(z.object({ id: Id, name: z.string(), email: z.string() })),
  apiKeys: z.number().int().describe('Number of active API keys.'),
  brands: z.number().int().nullable().describe('Null when social runs in another process.'),
  suspensions: z.array(SuspensionEntry).describe('Newest first.'),
  can: z.object({ suspend: z.boolean().describe('False for the super admins’ organization.') }),
})
export type AdminOrganizationDetail = z.output<typeof AdminOrganizationDetail>

export const OrganizationSearch = z.object({
  q: optionalField(plainText(100).trim()),
  state: optionalField(z.enum(['active', 'suspended', 'deleting'])),
  ...paging,
})
export type OrganizationSearch = z.output<typeof OrganizationSearch>

export const SuspensionDraft = z.object({
  id: Id,
  reason: plainText(500, 'Enter a reason.').trim().min(1, 'Enter a reason.'),
})
export type SuspensionDraft = z.output<typeof SuspensionDraft>

export const AdminUser = z.object({
  id: Id,
  email: z.string(),
  name: z.string(),
  principalType: z.enum(['user', 'platform_super_admin']),
  createdAt: Timestamp,
  organizations: z.number().int().describe('Number of organizations that the user belongs to.'),
  deletesAt: Timestamp.nullable().describe(
    'When the deletion of the account becomes final; null when none is scheduled.',
  ),
})
export type AdminUser = z.output<typeof AdminUser>

export const AdminUserDetail = AdminUser.extend({
  organizations: z.array(z.object({ id: Id, slug: z.string(), name: z.string(), role: Role, joinedAt: Timestamp })),
  sessions: z.array(OwnSession.omit({ current: true })).describe('Up to 100 active sessions, newest first.'),
  factors: z.object({
    password: z.boolean(),
    totpSince: Timestamp.nullable().describe('When the authenticator app was set up; null without one.'),
    recoveryCodes: z.number().int().describe('Number of unused recovery codes.'),
    passkeys: z.array(z.object({ id: Id, name: z.string(), createdAt: Timestamp, lastUsedAt: Timestamp.nullable() })),
  }),
  can: z.object({
    endSessions: z.boolean().describe('False for your own account.'),
    resetSecondFactor: z.boolean().describe('False for your own account and for accounts without a second factor.'),
  }),
})
export type AdminUserDetail = z.output<typeof AdminUserDetail>

export const UserSearch = z.object({
  query: optionalField(plainText(254).trim()).describe('The beginning of an email address or name, or an ID.'),
  ...paging,
})
export type UserSearch = z.output<typeof UserSearch>

export const SupportAction = z.object({
  id: Id,
  reason: plainText(500, 'Enter a reason.').trim().min(1, 'Enter a reason.'),
})
export type SupportAction = z.output<typeof SupportAction>
