import { foldOperations } from '#lib/fold-operations.ts'
import type { Context } from '#lib/context.ts'
import type { Database } from '#lib/db.ts'
import * as admin from './admin/admin.operations.tsx'
import { adminOrganizationPage, adminOrganizationsPage, superAdminPage } from './admin/admin.pages.tsx'
import * as adminUsers from './admin/users.operations.tsx'
import { adminUserPage, adminUsersPage } from './admin/users.pages.tsx'
import * as accounts from './accounts/accounts.operations.tsx'
import * as actions from './registry/actions/actions.operations.tsx'
import * as actionContract from './registry/actions/contract.ts'
import * as agents from './api-keys/agents/agents.operations.tsx'
import * as agentContract from './api-keys/agents/contract.ts'
import * as apiKeys from './api-keys/api-keys.operations.tsx'
import { apiKeysPage } from './api-keys/api-keys.pages.tsx'
import * as keyContract from './api-keys/contract.ts'
import * as audit from './organizations/audit/audit.operations.tsx'
import { auditPage } from './organizations/audit/audit.pages.tsx'
import type { IdentityClient } from './client.ts'
import * as bindables from './organizations/bindable-resources/bindable-resources.operations.tsx'
import * as bindableContract from './organizations/bindable-resources/contract.ts'
import * as contract from './contract.ts'
import * as domainContract from './organizations/domains/contract.ts'
import * as domains from './organizations/domains/domains.operations.tsx'
import { loginPage, registerPage } from './sign-in/sign-in.pages.tsx'
import * as householdContract from './organizations/households/contract.ts'
import * as households from './organizations/households/households.operations.tsx'
import * as deletionContract from './deletion/contract.ts'
import * as deletion from './deletion/deletion.operations.tsx'
import { eraseDeleted, remindOfDeletions } from './deletion/jobs.ts'
import { accountDeletionPage, organizationDeletionPage } from './deletion/deletion.pages.tsx'
import * as emailChange from './accounts/email-change/email-change.operations.tsx'
import { emailChangePage } from './accounts/email-change/email-change.pages.tsx'
import * as emailChangeContract from './accounts/email-change/contract.ts'
import * as entitlementContract from './organizations/entitlements/contract.ts'
import * as entitlements from './organizations/entitlements/entitlements.operations.tsx'
import * as internal from './accounts/internal.operations.tsx'
import { deleteExpired, recheckOrganizationDomains, remindOfKeys, rotateKeys } from './jobs.ts'
import * as invitations from './organizations/members/invitations.operations.tsx'
import { magicLinkPage, magicLinkRequestPage } from './sign-in/magic-links/magic-link.pages.tsx'
import * as magicLinkContract from './sign-in/magic-links/contract.ts'
import * as magicLinks from './sign-in/magic-links/magic-links.operations.tsx'
import * as members from './organizations/members/members.operations.tsx'
import { invitationPage, membersPage } from './organizations/members/members.pages.tsx'
import * as organizations from './organizations/organizations.operations.tsx'
import { organizationPage, profilePage, securityPage, sessionsPage } from './accounts/profile.pages.tsx'
import * as passkeys from './sign-in/passkeys/passkeys.operations.tsx'
import * as permissionContract from './organizations/permissions/contract.ts'
import * as permissions from './organizations/permissions/permissions.operations.tsx'
import { organizationSignIns, signingKeys, totpAuthenticators } from './schema.ts'
import { memberPermissionsPage } from './organizations/permissions/permissions.pages.tsx'
import { confirmationPage } from './accounts/registration/confirmation.pages.tsx'
import * as provisioningContract from './organizations/provisioning/contract.ts'
import * as provisioning from './organizations/provisioning/provisioning.operations.tsx'
import * as registration from './accounts/registration/registration.operations.tsx'
import { search } from './search.ts'
import * as passwordResetContract from './accounts/password-reset/contract.ts'
import * as passwordReset from './accounts/password-reset/password-reset.operations.tsx'
import { forgotPasswordPage, passwordResetPage } from './accounts/password-reset/password-reset.pages.tsx'
import * as recoveryEmailContract from './accounts/recovery-email/contract.ts'
import * as recoveryEmail from './accounts/recovery-email/recovery-email.operations.tsx'
import { recoveryEmailPage } from './accounts/recovery-email/recovery-email.pages.tsx'
import * as preferences from './accounts/preferences.operations.tsx'
import * as secondFactor from './sign-in/second-factor/second-factor.operations.tsx'
import { secondFactorPage } from './sign-in/second-factor/second-factor.pages.tsx'
import * as security from './sign-in/security.operations.tsx'
import * as slugContract from './organizations/slugs/contract.ts'
import * as slugs from './organizations/slugs/slugs.operations.tsx'
import * as access from './registry/access.operations.tsx'
import * as registryContract from './registry/contract.ts'
import * as registry from './registry/registry.operations.tsx'
import { servicePage, servicesPage } from './registry/registry.pages.tsx'
import * as services from './registry/services.operations.tsx'
import * as serviceKeys from './tokens/service-keys/service-keys.operations.tsx'
import * as serviceKeyContract from './tokens/service-keys/contract.ts'
import * as sessions from './sign-in/sessions.operations.tsx'
import * as upstream from './sign-in/social-login/social-login.operations.tsx'
import * as upstreamContract from './sign-in/social-login/contract.ts'
import { upstreamReturnPage } from './sign-in/social-login/social-login.pages.tsx'
import * as totp from './sign-in/totp/totp.operations.tsx'
import { sso, ssoContract, ssoPages } from './oauth/index.ts'
import * as ownSignInContract from './organizations/sso/contract.ts'
import * as ownSignIn from './organizations/sso/sso.operations.tsx'
import { organizationSignInPage } from './organizations/sso/sso.pages.tsx'
import * as limitedRoleContract from './organizations/resource-roles/contract.ts'
import * as limitedRoles from './organizations/resource-roles/resource-roles.operations.tsx'
import { identityData } from './tenant-data.ts'
import * as validation from './tokens/validate.operations.tsx'
import * as workspaces from './organizations/workspaces/workspaces.operations.tsx'
import { workspacesPage } from './organizations/workspaces/workspaces.pages.tsx'

export { syncOwnActions } from './registry/actions/own-actions.ts'
export type { BindableReport, OfferedResource } from './organizations/bindable-resources/contract.ts'
export type { Agent } from './api-keys/agents/contract.ts'
export type { ApiKey, WatchedApiKey } from './api-keys/contract.ts'
export { createIdentityClient, type IdentityClient } from './client.ts'
export { presentedBy, type Presented } from './tokens/credential.ts'
export type {
  AdminOrganization,
  AdminOrganizationDetail,
  AdminUser,
  AdminUserDetail,
  SuspensionEntry,
} from './admin/contract.ts'
export { createSuperAdminLink } from './admin/super-admins.ts'
export type { Passkey } from './sign-in/passkeys/contract.ts'
export type { Preferences } from './contract.ts'
export type { MemberKey } from './api-keys/contract.ts'
export type { SignInWay } from './accounts/password-reset/sign-in-ways.ts'
export type { ProofMethods } from './sign-in/second-factor/proof-methods.ts'
export { callbackPath } from './oauth/services.ts'
export type {
  App,
  AuditEntry,
  CatalogService,
  ServicePermission,
  Invitation,
  Me,
  Member,
  Organization,
  OwnSession,
  Person,
  RefusedSignIn,
} from './contract.ts'
export type { EntitlementState, InstalledApp } from './organizations/entitlements/contract.ts'
export type { AppAction } from './developer-console/actions/contract.ts'
export { developerConsole } from './developer-console/index.ts'
export type { AdminApp, AppReview, DeveloperApp, DeveloperWorkspace } from './developer-console/contract.ts'
export type { PermissionEntry, PermissionOverride } from './organizations/permissions/contract.ts'
export type { OrganizationService } from './registry/contract.ts'
export { demoPassword, demoPeople, type DemoPerson } from './accounts/demo.ts'
export { deleteExpired, recheckOrganizationDomains, remindOfKeys, rotateKeys } from './jobs.ts'
export { createAssertedTokens } from './tokens/service-keys/asserted-tokens.ts'
export { createTokensByCaller } from './tokens/service-keys/token-cache.ts'
export { generateServiceKey } from './tokens/service-keys/new-service-key.ts'
export { erasureJob } from './deletion/erasure-job.ts'
export { remindOfDeletions } from './deletion/jobs.ts'
export type { OrganizationDeletion } from './deletion/contract.ts'
export type { EmailChange } from './accounts/email-change/contract.ts'
export type { RecoveryEmail } from './accounts/recovery-email/contract.ts'
export { createLocalIdentity } from './tokens/local.ts'
export type { Household, HouseholdInvitation } from './organizations/households/contract.ts'
export type { OwnSignIn } from './organizations/sso/contract.ts'
export type { OrganizationDomain } from './organizations/domains/contract.ts'
export type { UpstreamIdentity } from './sign-in/social-login/contract.ts'
export type { Trouble } from './sign-in/social-login/trouble.ts'
export { onRevocation } from './tokens/revocation.ts'
export { replaceSigningKeys } from './tokens/signing-keys.ts'
export { serviceTokens } from './tokens/tokens.ts'

declare module '#lib/call.ts' {
  interface Provided {
    readonly identity: IdentityClient
    /** Null where social runs in another process. */
    readonly countBrands: (db: Database, organizationId: string) => Promise<number | null>
    /** The other services that store data of organizations, and whether each runs in this process. */
    readonly keepers: readonly { slug: string; here: boolean }[]
    /** First path segments and host labels of this product, which no organization can have as its slug. */
    readonly ownNames: ReadonlySet<string>
  }
}

/** People, organizations, sessions, permissions, and the registry of services. */
export const identity: Context = {
  slug: 'platform-identity',
  host: 'IDENTITY_HOST',
  // Session cookies are per host, so every host has sign-in.
  everywhere: true,
  operations: foldOperations([
    accounts,
    secondFactor,
    totp,
    passkeys,
    registration,
    sessions,
    magicLinks,
    security,
    passwordReset,
    recoveryEmail,
    emailChange,
    validation,
    services,
    registry,
    access,
    slugs,
    serviceKeys,
    provisioning,
    entitlements,
    preferences,
    organizations,
    workspaces,
    members,
    permissions,
    agents,
    invitations,
    internal,
    audit,
    apiKeys,
    actions,
    admin,
    adminUsers,
    upstream,
    households,
    sso,
    bindables,
    ownSignIn,
    domains,
    limitedRoles,
    deletion,
  ]),
  pages: [
    loginPage,
    secondFactorPage,
    accountDeletionPage,
    registerPage,
    confirmationPage,
    forgotPasswordPage,
    passwordResetPage,
    recoveryEmailPage,
    emailChangePage,
    magicLinkPage,
    magicLinkRequestPage,
    invitationPage,
    profilePage,
    securityPage,
    sessionsPage,
    organizationPage,
    organizationDeletionPage,
    workspacesPage,
    membersPage,
    memberPermissionsPage,
    apiKeysPage,
    auditPage,
    superAdminPage,
    adminOrganizationsPage,
    adminOrganizationPage,
    adminUsersPage,
    adminUserPage,
    servicesPage,
    servicePage,
    upstreamReturnPage,
    organizationSignInPage,
    ...ssoPages,
  ],
  webhooks: [],
  search,
  erases: eraseDeleted,
  data: identityData,
  seed: { workspace: async (base) => (await import('./seed.ts')).seedPeople(base) },
  jobs: [remindOfDeletions, deleteExpired, recheckOrganizationDomains, remindOfKeys, rotateKeys],
  schedules: [
    { cron: '0 7 * * * *', job: remindOfKeys },
    { cron: '0 12 * * * *', job: remindOfDeletions },
    { cron: '0 17 * * * *', job: deleteExpired },
    { cron: '0 22 * * * *', job: eraseDeleted },
    { cron: '0 27 * * * *', job: rotateKeys },
    { cron: '0 57 * * * *', job: recheckOrganizationDomains },
  ],
  contract: {
    ...contract,
    ...keyContract,
    ...permissionContract,
    ...registryContract,
    ...upstreamContract,
    ...actionContract,
    ...agentContract,
    ...householdContract,
    ...ssoContract,
    ...serviceKeyContract,
    ...bindableContract,
    ...passwordResetContract,
    ...recoveryEmailContract,
    ...emailChangeContract,
    ...ownSignInContract,
    ...domainContract,
    ...entitlementContract,
    ...magicLinkContract,
    ...provisioningContract,
    ...slugContract,
    ...limitedRoleContract,
    ...deletionContract,
  },
  sealed: [organizationSignIns.sealedSecret, signingKeys.sealedPrivateKey, totpAuthenticators.sealedSecret],
}
