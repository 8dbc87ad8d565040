import { z } from 'zod'
import { optionalField, plainText } from '#lib/text.ts'
import { Id } from '#lib/ids.ts'
import { listOf } from '#lib/paginate.ts'
import { Timestamp } from '#lib/time.ts'
import { Role } from '../../contract/fields.ts'

/** IDN-11: `serviceId.resource:action`. */
export const CanonicalPermission = z
  .string()
  .regex(
    /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[a-z_]+:[a-z]+$/,
    'Must be a permission: serviceId.resource:action.',
  )

const OfService = z.object({ serviceId: Id, service: z.string().describe('The service’s slug.') })

export const AccessSource = OfService.extend({ grantedAt: Timestamp, grantedBy: Id.nullable() })

export const Effect = z.enum(['grant', 'deny'])

export const PermissionOverride = OfService.extend({
  id: Id,
  serviceName: z.string(),
  permission: z.string(),
  effect: Effect,
  reason: z.string().nullable(),
  createdBy: Id.nullable(),
  createdAt: Timestamp,
})
export type PermissionOverride = z.output<typeof PermissionOverride>

const Source = z.discriminatedUnion('kind', [
  AccessSource.extend({ kind: z.literal('service_access') }),
  z.object({ kind: z.literal('role_bundle'), role: Role }),
  PermissionOverride.pick({ id: true, effect: true, reason: true, createdBy: true, createdAt: true }).extend({
    kind: z.literal('user_override'),
  }),
])

export const PermissionEntry = OfService.extend({
  serviceName: z.string(),
  permission: z.string(),
  description: z.string(),
  granted: z.boolean(),
  explanation: z.string(),
  sources: z.array(Source),
  can: z
    .object({ grant: z.boolean() })
    .describe('Whether you can grant it to this member. You can only grant permissions that you have.'),
})
export type PermissionEntry = z.output<typeof PermissionEntry>

const OverrideActions = z.object({ override: z.boolean() }).describe('Whether you can create and delete overrides.')

export const PermissionOverrides = listOf(PermissionOverride).extend({ can: OverrideActions })

/** IDN-13. */
export const PermissionInspection = z.object({
  userId: Id,
  organizationId: Id.nullable().describe('Null for a person without an organization, who has no permissions.'),
  member: z
    .object({ name: z.string(), email: z.string(), role: Role })
    .nullable()
    .describe('The person as a member of the organization.'),
  effectivePermissions: z
    .array(z.string())
    .describe('The permissions that `/validate` returns for the person in this organization.'),
  entries: z.array(PermissionEntry).describe('Every permission of every service, granted or not.'),
  sources: z.object({
    serviceAccess: z.array(AccessSource).describe('The services that are enabled for the organization.'),
    roleBundles: z.array(OfService.extend({ role: Role, permissions: z.array(z.string()) })),
    userOverrides: z.array(PermissionOverride),
  }),
  can: OverrideActions,
})
export type PermissionInspection = z.output<typeof PermissionInspection>
export type Inspection = z.input<typeof PermissionInspection>

export const OrganizationAccess = z.object({
  organizationId: Id,
  permissions: z.array(z.string()).describe('In the form `<serviceId>.<resource>:<action>`.'),
})
export type OrganizationAccess = z.output<typeof OrganizationAccess>

export const InspectionQuery = z.object({
  userId: Id,
  organizationId: optionalField(Id).describe('Default: the active organization.'),
  q: optionalField(plainText(100)).describe('Filters entries by text in their permission or description.'),
  permission: optionalField(plainText(100)).describe(
    'Filters entries by a permission, as serviceId.resource:action or resource:action.',
  ),
})
export type InspectionQuery = z.output<typeof InspectionQuery>

export const OverrideDraft = z.object({
  id: Id,
  userId: Id,
  permission: CanonicalPermission,
  effect: Effect,
  reason: plainText(500)
    .trim()
    .transform((text) => text || null)
    .nullish()
    .describe('Shown in the explanation of the permission.'),
})
export type OverrideDraft = z.output<typeof OverrideDraft>
