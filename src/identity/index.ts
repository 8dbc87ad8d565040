import type { Context } from '#lib/context.ts'
import type { Database } from '#lib/db.ts'
import { foldModules } from '#lib/module.ts'
import type { OnboardingStep } from '#lib/onboarding-step.ts'
import { accountsModule } from './accounts/index.ts'
import { adminModule } from './admin/index.ts'
import { appEvents } from './organizations/entitlements/events.ts'
import { keyEvents } from './api-keys/events.ts'
import { memberEvents } from './organizations/members/events.ts'
import { identitySteps } from './accounts/onboarding/steps.ts'
import { apiKeysModule } from './api-keys/index.ts'
import type { IdentityClient } from './client/client.ts'
import * as contract from './contract.ts'
import { deletionModule } from './deletion/index.ts'
import type { Keeper } from './deletion/due.ts'
import { eraseDeleted } from './deletion/jobs.ts'
import { deleteExpired } from './jobs.ts'
import { identityKinds } from './notification-kinds.ts'
import { oauthModule } from './oauth/index.ts'
import { organizationsModule } from './organizations/index.ts'
import { registryModule } from './registry/index.ts'
import { search } from './search.ts'
import { signInModule } from './sign-in/index.ts'
import { identityData } from './tenant-data/index.ts'
import { tokensModule } from './tokens/index.ts'

export type * from './types.ts'
export { syncOwnActions } from './registry/actions/own-actions.ts'
export type { IdentityClient } from './client/client.ts'
export { identitySlug } from './client/requests.ts'
export { createIdentityClient } from './client/create-client.ts'
export { presentedBy, type Presented } from './tokens/credential.ts'
export { createSuperAdminLink } from './admin/super-admins.ts'
export { callbackPath } from './http/responses.ts'
export { launchAddressOf } from './oauth/launch-address.ts'
export { developerConsole } from './developer-console/index.ts'
export { demoPassword, demoPeople, type DemoPerson } from './accounts/demo.ts'
export { deleteExpired } from './jobs.ts'
export { createAssertedTokens } from './tokens/service-keys/asserted-tokens.ts'
export { createTokensByCaller, type ServiceTokens } from './tokens/service-keys/token-cache.ts'
export { generateServiceKey } from './tokens/service-keys/new-service-key.ts'
export { erasureJob } from './deletion/erasure-job.ts'
export { remindOfDeletions } from './deletion/jobs.ts'
export { createLocalIdentity } from './tokens/local.ts'
export { onRevocation } from './tokens/revocation.ts'
export { replaceSigningKeys } from './tokens/signing-keys.ts'
export { serviceTokens } from './tokens/tokens.ts'
export { recheckOrganizationDomains } from './organizations/domains/jobs.ts'
export { remindOfKeys } from './api-keys/jobs.ts'
export { rotateKeys } from './tokens/jobs.ts'

declare module '#lib/call.ts' {
  interface Provided {
    readonly identity: IdentityClient
    /** Null when social runs in another process. */
    readonly countBrands: (db: Database, organizationId: string) => Promise<number | null>
    readonly keepers: readonly Keeper[]
    /** Of the contexts in this process, in their order. */
    readonly onboardingSteps: readonly OnboardingStep[]
    /** First path segments and host labels of this product, which no organization can have as its slug. */
    readonly ownNames: ReadonlySet<string>
  }
}

export const identity: Context = {
  slug: 'platform-identity',
  group: 'identity',
  host: 'IDENTITY_HOST',
  // Session cookies are per host, so every host has sign-in.
  everywhere: true,
  webhooks: [],
  ...foldModules([
    accountsModule,
    signInModule,
    tokensModule,
    adminModule,
    registryModule,
    organizationsModule,
    apiKeysModule,
    oauthModule,
    deletionModule,
    {
      contracts: [contract],
      jobs: [deleteExpired],
      schedules: [{ cron: '0 17 * * * *', job: deleteExpired }],
    },
  ]),
  search,
  onboarding: identitySteps,
  events: [...keyEvents, ...appEvents, ...memberEvents],
  notificationKinds: identityKinds,
  erasureJob: eraseDeleted,
  data: identityData,
  seed: { organization: async (base) => (await import('./seed.ts')).seedPeople(base) },
}
