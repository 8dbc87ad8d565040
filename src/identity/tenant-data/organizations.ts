import type { PgColumn } from 'drizzle-orm/pg-core'
import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import { exportLogo } from '../organizations/logo/export.ts'
import * as s from '../schema.ts'
import { byEmail, day, through, withOrganization } from './rules.ts'

const ofKey = (keyId: PgColumn) => through(keyId, s.apiKeys.id, s.apiKeys.organizationId)

export const organizationData: readonly TenantData[] = [
  tenantTable(s.membershipResources, {
    organization: s.membershipResources.organizationId,
    person: s.membershipResources.userId,
    export: ['organizationId', 'userId', 'serviceId', 'kind', 'resourceId', 'role'],
    erasure: { organization: 'delete', person: 'cascade' },
    retention: 'owner',
  }),
  tenantTable(s.apiKeys, {
    organization: s.apiKeys.organizationId,
    export: [
      ...(['id', 'organizationId', 'serviceId', 'name', 'mode', 'lastFour', 'createdBy', 'agentId'] as const),
      ...(['createdAt', 'expiresAt', 'revokedAt', 'lastUsedAt'] as const),
    ],
    erasure: { organization: 'delete', person: 'keep' },
    retention: 'owner',
  }),
  tenantTable(s.apiKeyScopes, {
    organization: ofKey(s.apiKeyScopes.apiKeyId),
    export: ['apiKeyId', 'serviceId', 'scope', 'lastUsedAt'],
    ...withOrganization,
  }),
  tenantTable(s.apiKeyBindings, {
    organization: ofKey(s.apiKeyBindings.apiKeyId),
    export: ['apiKeyId', 'kind', 'resourceId'],
    ...withOrganization,
  }),
  tenantTable(s.memberships, {
    organization: s.memberships.organizationId,
    person: s.memberships.userId,
    export: ['organizationId', 'userId', 'role', 'createdAt'],
    erasure: { organization: 'cascade', person: 'delete' },
    retention: 'owner',
  }),
  tenantTable(s.invitations, {
    organization: s.invitations.organizationId,
    person: byEmail(s.invitations.email),
    export: ['id', 'organizationId', 'email', 'role', 'invitedBy', 'createdAt', 'expiresAt'],
    erasure: { organization: 'cascade', person: 'delete' },
    retention: { after: s.invitations.expiresAt, ms: 30 * day },
  }),
  tenantTable(s.serviceAccess, {
    organization: s.serviceAccess.organizationId,
    export: ['organizationId', 'serviceId', 'grantedAt', 'grantedBy'],
    ...withOrganization,
  }),
  tenantTable(s.organizationOnboardings, {
    organization: s.organizationOnboardings.organizationId,
    export: ['organizationId', 'serviceId', 'steps', 'completedAt', 'updatedAt'],
    ...withOrganization,
  }),
  tenantTable(s.userPermissionOverrides, {
    organization: s.userPermissionOverrides.organizationId,
    person: s.userPermissionOverrides.userId,
    export: ['id', 'organizationId', 'userId', 'serviceId', 'permission', 'effect', 'reason', 'createdBy', 'createdAt'],
    erasure: { organization: 'cascade', person: 'cascade' },
    retention: 'owner',
  }),
  tenantTable(s.bindableResources, {
    organization: s.bindableResources.organizationId,
    export: { never: 'A copy of what another service exports.' },
    ...withOrganization,
  }),
  tenantTable(s.organizationDomains, {
    organization: s.organizationDomains.organizationId,
    export: ['id', 'organizationId', 'domain', 'createdAt', 'verifiedAt', 'checkedAt', 'failure', 'missingSince'],
    ...withOrganization,
  }),
  tenantTable(s.organizationSignIns, {
    organization: s.organizationSignIns.organizationId,
    export: ['id', 'organizationId', 'issuer', 'clientId', 'domains', 'required', 'createdAt'],
    ...withOrganization,
  }),
  tenantTable(s.organizationLogos, {
    organization: s.organizationLogos.organizationId,
    export: ['organizationId', 'updatedAt'],
    files: exportLogo,
    ...withOrganization,
  }),
  tenantTable(s.suspensions, {
    organization: s.suspensions.organizationId,
    export: ['id', 'organizationId', 'reason', 'suspendedAt', 'deletesAt', 'liftedAt'],
    ...withOrganization,
  }),
  tenantTable(s.workspaceRevocations, {
    organization: s.workspaceRevocations.organizationId,
    export: ['organizationId', 'reason', 'revokedAt'],
    ...withOrganization,
  }),
  tenantTable(s.organizationErasures, {
    organization: s.organizationErasures.organizationId,
    export: { never: 'It exists only once the organization is being erased.' },
    ...withOrganization,
  }),
  tenantTable(s.erasedOrganizations, {
    organization: s.erasedOrganizations.organizationId,
    export: { never: 'It exists only after the organization was erased.' },
    erasure: { organization: 'keep' },
    retention: { after: s.erasedOrganizations.erasedAt, ms: 30 * day },
  }),
]
