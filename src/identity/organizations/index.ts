import type { Module } from '#lib/module.ts'
import * as audit from './audit/audit.operations.tsx'
import * as auditPages from './audit/audit.pages.tsx'
import * as bindableResources from './bindable-resources/bindable-resources.operations.tsx'
import * as bindableResourcesContract from './bindable-resources/contract.ts'
import * as domainsContract from './domains/contract.ts'
import * as domains from './domains/domains.operations.tsx'
import * as catalog from './entitlements/catalog.operations.ts'
import * as entitlementsContract from './entitlements/contract.ts'
import * as entitlements from './entitlements/entitlements.operations.tsx'
import { updateSeatsActions } from './entitlements/seats-action.ts'
import * as householdsContract from './households/contract.ts'
import * as households from './households/households.operations.tsx'
import * as invitations from './members/invitations.operations.tsx'
import * as logo from './logo/logo.operations.tsx'
import * as logoContract from '#lib/images/logo.ts'
import * as member from './members/member.operations.tsx'
import * as members from './members/members.operations.tsx'
import * as memberWidget from './members/widget.operations.ts'
import * as membersPages from './members/members.pages.tsx'
import * as organizationPages from './organization.pages.tsx'
import * as organizations from './organizations.operations.tsx'
import * as ownInvitations from './members/own-invitations.operations.ts'
import * as onboardingContract from './onboarding/contract.ts'
import * as onboarding from './onboarding/organization-onboarding.operations.ts'
import * as permissionsContract from './permissions/contract.ts'
import * as permissions from './permissions/permissions.operations.tsx'
import * as memberPages from './members/member.pages.tsx'
import * as provisioningContract from './provisioning/contract.ts'
import * as provisioning from './provisioning/provisioning.operations.tsx'
import * as resourceRolesContract from './resource-roles/contract.ts'
import * as resourceRoles from './resource-roles/resource-roles.operations.tsx'
import * as slugsContract from './slugs/contract.ts'
import * as slugs from './slugs/slugs.operations.tsx'
import * as ssoContract from './sso/contract.ts'
import * as sso from './sso/sso.operations.tsx'
import * as signInSettingsPages from './sso/sign-in-settings.pages.tsx'
import * as ssoPages from './sso/sso.pages.tsx'
import * as workspaces from './workspaces/workspaces.operations.tsx'
import * as workspacesPages from './workspaces/workspaces.pages.tsx'
import { recheckOrganizationDomains } from './domains/jobs.ts'
import { organizationSignIns } from '../schema.ts'

export const organizationsModule: Module = {
  operations: [
    organizations,
    audit,
    bindableResources,
    domains,
    entitlements,
    catalog,
    households,
    invitations,
    logo,
    member,
    members,
    memberWidget,
    onboarding,
    ownInvitations,
    permissions,
    provisioning,
    resourceRoles,
    slugs,
    sso,
    workspaces,
  ],
  pages: [organizationPages, membersPages, memberPages, signInSettingsPages, ssoPages, workspacesPages, auditPages],
  contracts: [
    bindableResourcesContract,
    domainsContract,
    entitlementsContract,
    householdsContract,
    logoContract,
    onboardingContract,
    permissionsContract,
    provisioningContract,
    resourceRolesContract,
    slugsContract,
    ssoContract,
  ],
  jobs: [recheckOrganizationDomains, updateSeatsActions],
  schedules: [
    { cron: '0 57 * * * *', job: recheckOrganizationDomains },
    { cron: '0 33 * * * *', job: updateSeatsActions },
  ],
  sealed: [organizationSignIns.sealedSecret],
}
