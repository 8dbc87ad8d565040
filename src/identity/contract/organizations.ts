import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { listOf } from '#lib/paginate.ts'
import { Instant, TimeZone, Timestamp } from '#lib/time.ts'
import { Entitlement } from '../organizations/entitlements/contract.ts'
import { Role, principalType, email, name, Slug, NewPassword } from './fields.ts'

export const OrganizationEdit = z
  .object({
    id: Id,
    name: name('the organization’s name').optional(),
    slug: Slug.optional(),
    timeZone: TimeZone.optional(),
    requiresSecondFactor: z.union([z.boolean(), z.stringbool()]).optional(),
  })
  .refine(
    (edit) => edit.name ?? edit.slug ?? edit.timeZone ?? edit.requiresSecondFactor !== undefined,
    'Send at least one field to change.',
  )
export type OrganizationEdit = z.infer<typeof OrganizationEdit>

export const Organization = z.object({
  id: Id,
  slug: z.string(),
  name: z.string(),
  role: Role,
  timeZone: z
    .string()
    .nullable()
    .describe('An IANA name, which new brands are offered first. Null until an owner chooses it.'),
  logoUrl: z
    .string()
    .nullable()
    .describe('The path of its logo, for members: a WebP image of at most 320 × 320 pixels. Null without one.'),
  requiresSecondFactor: z.boolean().describe('Whether members need to sign in with a second factor.'),
})
export type Organization = z.infer<typeof Organization>

export const OwnOrganization = Organization.extend({
  current: z.boolean().describe('Whether it is the active organization of this session.'),
  deletion: z
    .object({ deletesAt: Timestamp, can: z.object({ cancel: z.boolean() }) })
    .nullable()
    .describe('The scheduled deletion. Until then the organization is locked.'),
})
export type OwnOrganization = z.infer<typeof OwnOrganization>

export const OrganizationDetail = Organization.extend({
  developerWorkspace: z.boolean(),
  settings: z.object({ appEntitlement: Entitlement.describe('The plan that the organization has paid for.') }),
  ssoCallbackUrl: z
    .string()
    .nullable()
    .describe('The redirect URI to register at the provider of your single sign-on; null if you can’t set it up.'),
  secondFactors: z
    .object({ people: z.int(), missing: z.int() })
    .nullable()
    .describe(
      'How many members are people, and how many of them have no second factor. Null if you can’t update the organization.',
    ),
  can: z
    .object({
      update: z.boolean(),
      delete: z.boolean(),
      requireSecondFactor: z.boolean().describe('False until you have signed in with a second factor of your own.'),
    })
    .describe('The actions that you can perform on the organization.'),
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
    .describe(
      'Whether the member has an authenticator app or a passkey. Null for agents, and for callers below admin.',
    ),
  resources: z
    .array(z.object({ name: z.string().nullable().describe('Null for a deleted or moved resource.'), role: Role }))
    .nullable()
    .describe('What the role is limited to; empty without limits. Null for other members when you are below admin.'),
  assignableRoles: z.array(Role).describe('The roles that you can give the member; empty if you can’t change it.'),
  can: z
    .object({
      update: z.boolean(),
      remove: z.boolean(),
      transferOwnership: z.boolean(),
      inspectPermissions: z.boolean(),
    })
    .describe('The actions that you can perform on the member. All false outside the active organization.'),
})
export type Member = z.infer<typeof Member>

export const Members = listOf(Member).extend({
  resources: z
    .array(z.object({ id: Id, kind: z.string(), name: z.string() }))
    .nullable()
    .describe('The resources that roles of members are limited to. Null below admin.'),
  can: z
    .object({ createInvitation: z.boolean(), createAgent: z.boolean() })
    .describe('The actions that you can perform in the organization.'),
})
export type Members = z.infer<typeof Members>

/** The fields of a member that other services receive. */
export const Colleague = Member.pick({ id: true, name: true, email: true })
export type Colleague = z.infer<typeof Colleague>

export const Invitation = z.object({
  id: Id,
  email: z.string(),
  role: Role,
  invitedBy: z.object({ id: Id, name: z.string() }).nullable(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  expired: z.boolean(),
  delivery: z
    .object({
      state: z
        .enum(['waiting', 'handed', 'sent', 'refused', 'kept'])
        .describe('`handed`: handed over to the gateway, which sends it.'),
      problem: z.string().nullable(),
    })
    .nullable()
    .describe('The delivery of the invitation email; null once its record has been deleted.'),
  can: z
    .object({ resend: z.boolean(), delete: z.boolean() })
    .describe('The actions that you can perform on the invitation.'),
})
export type Invitation = z.infer<typeof Invitation>

export const InvitationDraft = z.object({ id: Id, email, role: Role })

const maxBatch = 20

const BatchRow = z.object({ email: z.union([email, z.literal('').transform(() => null)]), role: Role })

/** Rows of a form with an empty email are left out. */
export const InvitationBatch = z.object({
  id: Id,
  invitations: z.array(BatchRow).max(maxBatch, `Must have at most ${maxBatch} people.`),
})
export type InvitationBatch = z.output<typeof InvitationBatch>

/** An invitation to the caller. */
export const OwnInvitation = z.object({
  id: Id,
  organization: z.string().describe('The organization’s name.'),
  role: Role,
  inviter: z.string().nullable().describe('The name of the person who sent it.'),
})
export type OwnInvitation = z.output<typeof OwnInvitation>

export const InvitationToken = z.object({ token: z.string().max(200) })

export const OpenInvitation = z.object({
  email: z.string(),
  role: Role,
  organization: z.string().describe('The organization’s name.'),
  inviter: z.string().nullable().describe('The name of the person who sent it.'),
  hasAccount: z.boolean().describe('Whether an account with the email address exists.'),
})
export type OpenInvitation = z.infer<typeof OpenInvitation>

/** The invitation determines the email address. */
export const InvitationRegistration = InvitationToken.extend({ name: name('your name'), password: NewPassword })
export type InvitationRegistration = z.infer<typeof InvitationRegistration>

export const MemberEdit = z.object({ id: Id, userId: Id, role: Role })
export type MemberEdit = z.infer<typeof MemberEdit>

/** `suspended` is false for an unknown organization. */
export const MemberState = z.object({ member: z.boolean() })

/** What a member can do, and the resources that their role is limited to. */
export const MemberAccess = z.object({
  organization: z.object({ id: Id, slug: z.string(), role: Role }),
  permissions: z.array(z.string()),
  resources: z.array(z.object({ kind: z.string(), id: Id, permissions: z.array(z.string()) })),
})
export type MemberAccess = z.output<typeof MemberAccess>

export const HoldersQuery = z.object({
  id: Id,
  permission: z
    .string()
    .regex(
      /^[0-9a-f-]{36}\.[\w-]+:[\w-]+$/,
      'Must be a permission of a service, such as <service id>.settlements:write.',
    ),
})
export const PermissionHolder = z.object({ id: Id, role: Role })
export type PermissionHolder = z.output<typeof PermissionHolder>

export const ProvisionedService = z.object({
  organizationId: Id,
  service: z.string().describe('Its slug.'),
  grantedAt: Timestamp,
  created: z.boolean().describe('False if the organization already had access.'),
})
/** As its client reads it. */
export const ReceivedProvision = ProvisionedService.extend({ grantedAt: Instant })
export type ReceivedProvision = z.output<typeof ReceivedProvision>

export const AudienceQuery = z.object({
  id: Id,
  ids: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(Id).max(100, 'Must have at most 100 IDs.'))
    .optional(),
  after: Id.optional().describe('The last ID of the page before.'),
  limit: z.coerce.number().int().min(1).max(100).default(100),
})
export type AudienceQuery = z.output<typeof AudienceQuery>

/** A person of an organization: what they can see, and how they are reached. */
export const AudienceMember = z.object({
  id: Id,
  name: z.string(),
  email: z.string(),
  principalType,
  role: Role,
  permissions: z.array(z.string()),
  resources: z.array(z.object({ kind: z.string(), id: Id, permissions: z.array(z.string()) })),
  timeZone: z.string().nullable(),
})
export type AudienceMember = z.output<typeof AudienceMember>

export const Audience = z.object({
  organization: z.object({ slug: z.string(), name: z.string() }).nullable().describe('Null without people.'),
  items: z.array(AudienceMember),
})
export type Audience = z.output<typeof Audience>

/** The organization of the super admins; null before the first one signs up. */
export const PlatformOrganization = z.object({ id: Id.nullable() })

export const OrganizationState = z.object({
  exists: z.boolean(),
  suspended: z.boolean(),
  timeZone: z.string().nullable().default(null),
})
export type OrganizationState = z.output<typeof OrganizationState>
