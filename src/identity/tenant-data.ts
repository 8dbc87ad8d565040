import { sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import * as s from './schema.ts'

const day = 24 * 60 * 60_000
/** Milliseconds that a browser is remembered after its last use. */
export const deviceLifetime = 400 * day

const credentials = { never: 'It gives access to an account.' }
const shortLived = { never: 'It proves a person’s identity, and expires after a few minutes.' }

const withOrganization = { erasure: { organization: 'cascade' }, retention: 'owner' } as const
const withPerson = { erasure: { person: 'delete' }, retention: 'owner' } as const

const through =
  (key: PgColumn, parent: PgColumn, owner: PgColumn) =>
  (id: string): SQL =>
    sql`${key} IN (SELECT ${parent} FROM ${parent.table} WHERE ${owner} = ${id})`
const byEmail =
  (email: PgColumn) =>
  (id: string): SQL =>
    sql`${email} = (SELECT lower(${s.users.email}) FROM ${s.users} WHERE ${s.users.id} = ${id})`

const ofApp = (appId: PgColumn) => through(appId, s.developerApps.id, s.developerApps.organizationId)
const ofKey = (keyId: PgColumn) => through(keyId, s.apiKeys.id, s.apiKeys.organizationId)
const ownHouseholds = (id: PgColumn) => through(id, s.householdMembers.householdId, s.householdMembers.userId)

/** Rows are erased in this order. */
export const identityData: readonly TenantData[] = [
  // Organizations
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
  tenantTable(s.developerApps, {
    organization: s.developerApps.organizationId,
    export: [
      ...(['id', 'organizationId', 'slug', 'name', 'description', 'webUrl', 'redirectUris', 'handoffUri'] as const),
      ...(['status', 'serviceId', 'createdBy', 'createdAt', 'publishedAt'] as const),
    ],
    ...withOrganization,
  }),
  tenantTable(s.developerAppPermissions, {
    organization: ofApp(s.developerAppPermissions.appId),
    export: ['appId', 'permission', 'description'],
    ...withOrganization,
  }),
  tenantTable(s.developerAppScopes, {
    organization: ofApp(s.developerAppScopes.appId),
    export: ['appId', 'serviceId', 'scope'],
    ...withOrganization,
  }),
  tenantTable(s.developerAppKeys, {
    organization: ofApp(s.developerAppKeys.appId),
    export: ['apiKeyId', 'appId'],
    ...withOrganization,
  }),
  tenantTable(s.appReviews, {
    organization: ofApp(s.appReviews.appId),
    export: ['id', 'appId', 'submittedBy', 'submittedAt', 'decision', 'reason', 'decidedAt'],
    ...withOrganization,
  }),
  tenantTable(s.actionDefinitions, {
    organization: ofApp(s.actionDefinitions.appId),
    export: [
      ...(['id', 'appId', 'name', 'version', 'summary', 'method', 'path', 'permission', 'inputSchema'] as const),
      ...(['status', 'createdBy', 'createdAt', 'approvedAt'] as const),
    ],
    ...withOrganization,
  }),

  // People
  tenantTable(s.users, {
    organization: (id) =>
      sql`${s.users.id} IN (SELECT ${s.memberships.userId} FROM ${s.memberships} WHERE ${s.memberships.organizationId} = ${id})`,
    person: s.users.id,
    export: ['id', 'email', 'emailVerifiedAt', 'name', 'principalType', 'createdAt'],
    // An erased person's row stays, without name and address, so that their content keeps an author.
    erasure: { organization: 'keep', person: 'keep' },
    retention: 'owner',
  }),
  tenantTable(s.appSwitcherPreferences, {
    person: s.appSwitcherPreferences.userId,
    export: ['favorites', 'hidden', 'tileSize', 'theme'],
    ...withPerson,
  }),
  tenantTable(s.personOnboardings, {
    person: s.personOnboardings.userId,
    export: ['steps', 'updatedAt'],
    ...withPerson,
  }),
  tenantTable(s.recoveryEmails, {
    person: s.recoveryEmails.userId,
    export: ['email', 'verifiedAt', 'createdAt'],
    erasure: { person: 'delete' },
    // Only addresses that were never verified have an expiry.
    retention: { after: s.recoveryEmails.expiresAt, ms: 0 },
  }),
  tenantTable(s.emailChanges, {
    person: s.emailChanges.userId,
    export: ['email', 'createdAt', 'expiresAt'],
    erasure: { person: 'delete' },
    retention: { after: s.emailChanges.expiresAt, ms: 0 },
  }),
  tenantTable(s.passkeys, {
    person: s.passkeys.userId,
    export: ['id', 'name', 'createdAt', 'lastUsedAt'],
    ...withPerson,
  }),
  tenantTable(s.upstreamIdentities, {
    organization: s.upstreamIdentities.provider,
    person: s.upstreamIdentities.userId,
    export: ['id', 'userId', 'provider', 'issuer', 'subject', 'domain', 'createdAt'],
    erasure: { organization: 'delete', person: 'delete' },
    retention: 'owner',
  }),
  tenantTable(s.sessions, {
    person: s.sessions.userId,
    export: ['id', 'organizationId', 'method', 'device', 'address', 'createdAt', 'lastUsedAt', 'expiresAt'],
    erasure: { organization: 'cascade', person: 'delete' },
    retention: { after: s.sessions.idleExpiresAt, ms: 0 },
  }),
  tenantTable(s.knownDevices, {
    person: s.knownDevices.userId,
    export: ['id', 'createdAt', 'lastUsedAt'],
    erasure: { person: 'delete' },
    retention: { after: s.knownDevices.lastUsedAt, ms: deviceLifetime },
  }),
  tenantTable(s.households, {
    person: ownHouseholds(s.households.id),
    export: ['id', 'name', 'createdAt'],
    // A household is deleted with its last member.
    erasure: { person: 'keep' },
    retention: 'owner',
  }),
  tenantTable(s.householdMembers, {
    person: s.householdMembers.userId,
    export: ['householdId', 'userId', 'selected', 'createdAt'],
    ...withPerson,
  }),
  tenantTable(s.householdInvitations, {
    person: (id) => sql`(${s.householdInvitations.invitedBy} = ${id} OR ${byEmail(s.householdInvitations.email)(id)})`,
    export: ['id', 'householdId', 'email', 'invitedBy', 'createdAt', 'expiresAt'],
    erasure: { person: 'delete' },
    retention: { after: s.householdInvitations.expiresAt, ms: 0 },
  }),
  tenantTable(s.accountErasures, {
    person: s.accountErasures.userId,
    export: { never: 'It exists only once the account is being erased.' },
    ...withPerson,
  }),
  tenantTable(s.accountDeletions, {
    person: s.accountDeletions.userId,
    export: ['requestedAt', 'deletesAt'],
    ...withPerson,
  }),

  // Credentials
  tenantTable(s.totpAuthenticators, {
    person: s.totpAuthenticators.userId,
    export: ['createdAt', 'confirmedAt'],
    ...withPerson,
  }),
  tenantTable(s.recoveryCodes, {
    person: s.recoveryCodes.userId,
    export: credentials,
    ...withPerson,
  }),
  tenantTable(s.secondFactorTries, {
    person: s.secondFactorTries.userId,
    export: shortLived,
    ...withPerson,
  }),
  tenantTable(s.deviceCodeTries, {
    person: through(s.deviceCodeTries.deviceId, s.knownDevices.id, s.knownDevices.userId),
    export: shortLived,
    erasure: { person: 'cascade' },
    retention: 'owner',
  }),
  tenantTable(s.refreshTokens, {
    person: through(s.refreshTokens.sessionId, s.sessions.id, s.sessions.userId),
    export: credentials,
    erasure: { person: 'cascade' },
    retention: { after: s.refreshTokens.expiresAt, ms: 0 },
  }),
  tenantTable(s.passwordResets, {
    person: s.passwordResets.userId,
    export: credentials,
    erasure: { person: 'delete' },
    retention: { after: s.passwordResets.expiresAt, ms: 0 },
  }),
  tenantTable(s.magicLoginTokens, {
    person: s.magicLoginTokens.userId,
    export: credentials,
    erasure: { organization: 'cascade', person: 'delete' },
    retention: { after: s.magicLoginTokens.expiresAt, ms: 0 },
  }),
  tenantTable(s.passkeyChallenges, {
    person: s.passkeyChallenges.userId,
    export: shortLived,
    erasure: { person: 'delete' },
    retention: { after: s.passkeyChallenges.expiresAt, ms: 0 },
  }),
  tenantTable(s.proofCodes, {
    person: s.proofCodes.userId,
    export: shortLived,
    erasure: { person: 'delete' },
    retention: { after: s.proofCodes.expiresAt, ms: 0 },
  }),
  tenantTable(s.signInChallenges, {
    person: s.signInChallenges.userId,
    export: shortLived,
    erasure: { organization: 'cascade', person: 'delete' },
    retention: { after: s.signInChallenges.expiresAt, ms: 0 },
  }),
  tenantTable(s.ssoCodes, {
    person: s.ssoCodes.userId,
    export: shortLived,
    erasure: { organization: 'cascade', person: 'delete' },
    // A code that is used again within a day ends the session that it opened.
    retention: { after: s.ssoCodes.expiresAt, ms: day },
  }),
  tenantTable(s.upstreamSignIns, {
    organization: s.upstreamSignIns.provider,
    person: s.upstreamSignIns.userId,
    export: shortLived,
    erasure: { organization: 'delete', person: 'delete' },
    retention: { after: s.upstreamSignIns.expiresAt, ms: 0 },
  }),
  tenantTable(s.registrations, {
    person: byEmail(s.registrations.email),
    export: shortLived,
    erasure: { person: 'delete' },
    retention: { after: s.registrations.expiresAt, ms: 0 },
  }),
  tenantTable(s.superAdminLinks, {
    person: byEmail(s.superAdminLinks.email),
    export: shortLived,
    erasure: { person: 'delete' },
    retention: { after: s.superAdminLinks.expiresAt, ms: 0 },
  }),
  tenantTable(s.serviceKeys, {
    export: { never: 'It belongs to a service of the platform.' },
    // The creator's id stays after the erasure, without a name.
    erasure: { person: 'keep' },
    retention: 'owner',
  }),
  // Not of a tenant
  ...[
    { table: s.signInFailures, after: s.signInFailures.lastFailedAt, ms: day },
    { table: s.serviceAssertions, after: s.serviceAssertions.expiresAt, ms: 0 },
    { table: s.spentServiceTokens, after: s.spentServiceTokens.expiresAt, ms: 0 },
  ].map(({ table, ...retention }) => tenantTable(table, { export: shortLived, erasure: {}, retention })),

  // Last, since rows declared `cascade` are deleted with it.
  tenantTable(s.organizations, {
    organization: s.organizations.id,
    export: ['id', 'slug', 'name', 'developerWorkspace', 'requiresSecondFactor', 'timeZone', 'settings', 'createdAt'],
    erasure: { organization: 'delete' },
    retention: 'owner',
  }),
]
