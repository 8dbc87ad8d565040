import type { CallableAction } from '#lib/actions.ts'
import type { Actor } from '#lib/actor.ts'
import type { PageOf } from '#lib/paginate.ts'
import type {
  App,
  Audience,
  Colleague,
  Me,
  OrganizationState,
  PermissionHolder,
  Person,
  AppPreferences,
  Preferences,
  PreferencesEdit,
  ReceivedProvision,
} from '../contract.ts'
import type { Onboarding } from '../accounts/onboarding/contract.ts'
import type { HandoffRequest, ReceivedHandoff } from '../oauth/contract.ts'
import type { CatalogApp, Entitlement, EntitlementState, Seats } from '../organizations/entitlements/contract.ts'
import type { ProvisionDraft, ReceivedProvisioning } from '../organizations/provisioning/contract.ts'
import type { AppToken } from '../tokens/app-tokens/contract.ts'
import type { BindableReport } from '../organizations/bindable-resources/contract.ts'
import type { Presented } from '../tokens/credential.ts'

/** Calls throw a Problem: 503 while identity is unavailable, and 401 for a refused credential. */
export interface IdentityClient {
  validate(presented: Presented): Promise<Actor>
  /** Within a second. Not cached. */
  isReachable(): Promise<boolean>
  serviceId(slug: string): Promise<string>
  /** At most 100. `service` is a slug. */
  organizationsToErase(service: string): Promise<string[]>
  reportErased(service: string, organizationId: string): Promise<void>
  /** The same for accounts. */
  accountsToErase(service: string): Promise<string[]>
  reportAccountErased(service: string, userId: string): Promise<void>
  /** Gives an organization access to the gateway; idempotent. @throws {Problem} 404 for an unknown one, 403 for a suspended one */
  provisionGateway(organizationId: string): Promise<ReceivedProvision>
  /** Up to 100 resources. */
  reportBindables(service: string, reports: readonly BindableReport[]): Promise<void>
  /** Unknown ids are left out, and all of them while identity is unavailable. */
  people(ids: readonly string[]): Promise<Map<string, Person>>
  /** Of the organization's API keys, brands and the like. Unknown ids are left out, and all of them while identity is unavailable. */
  names(organizationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Of the super admins; null before the first one signs up. */
  adminOrganizationId(): Promise<string | null>
  /** Up to two seconds old. */
  organizationState(organizationId: string): Promise<OrganizationState>
  /** The same; false for an unknown organization. */
  isSuspended(organizationId: string): Promise<boolean>
  /** Up to two seconds old. */
  isMember(organizationId: string, userId: string): Promise<boolean>
  /** The member as an actor. Not cached. @throws {Problem} 404, 503 */
  memberActor(organizationId: string, userId: string): Promise<Actor>
  /** Of people and agents. @throws {Problem} 503 */
  usedSeats(organizationId: string): Promise<number>
  /** Of an organization that isn't suspended: at most 100 people, the oldest accounts first. `permission` is one of a service. */
  permissionHolders(organizationId: string, service: string, permission: string): Promise<PermissionHolder[]>
  /** People in the order of their IDs, after one: at most 100, or those of `ids`. None while the organization is suspended. @throws {Problem} 503 */
  audience(organizationId: string, query: { ids?: readonly string[]; after?: string; limit: number }): Promise<Audience>
  /** Of these, the ones that neither ended nor expired. Not cached. @throws {Problem} 503 */
  liveSessions(ids: readonly string[]): Promise<ReadonlySet<string>>
  /** A code of the person's authenticator app, or a recovery code. @throws {Problem} 422 for a wrong one, 429 after five */
  proveSecondFactor(userId: string, code: string): Promise<void>
  /** True while identity is unavailable. */
  hasAccounts(): Promise<boolean>
  /** By name, up to two seconds old; null is the personal context. */
  apps(presented: Presented, organizationId: string | null): Promise<App[]>
  /** For the dashboard, whatever its caller can list. By name; not cached. @throws {Problem} 503 */
  installedApps(organizationId: string): Promise<App[]>
  preferences(presented: Presented): Promise<Preferences>
  /** Empty for a caller who isn't a member. */
  colleagues(presented: Presented, organizationId: string, text: string): Promise<Colleague[]>
  /** One page by name, or the one named `name`. */
  actions(presented: Presented, query: { cursor?: string; name?: string }): Promise<PageOf<CallableAction>>
  /** @throws {Problem} 404 for another organization, 403 for one that is suspended or has stricter sign-in rules */
  permissionsIn(presented: Presented, organizationId: string): Promise<ReadonlySet<string>>
  me(presented: Presented): Promise<Me>
  onboarding(presented: Presented): Promise<Onboarding>
  updatePreferences(presented: Presented, edit: PreferencesEdit): Promise<Preferences>
  /** @throws {Problem} 404 for an unknown app */
  updateAppPreferences(presented: Presented, edit: AppPreferences): Promise<Preferences>
  /** Not cached, in one request: the apps of an organization, installed or not, and its plan; for null those for personal accounts. */
  catalog(organizationId: string | null): Promise<{ apps: CatalogApp[]; plan: EntitlementState | null }>
  entitlement(organizationId: string): Promise<EntitlementState>
  /** @throws {Problem} 402 beyond the plan; 404, 409, 422 */
  setInstalled(organizationId: string, serviceId: string, change: { installed: boolean; by: string }): Promise<void>
  /** All or nothing. @throws {Problem} 402 beyond the plan; 409, 422 */
  chooseApps(organizationId: string, choice: { apps: string[]; by: string }): Promise<void>
  /** @throws {Problem} 403, 404; 409 `onboarding_completed` */
  finishOnboardingStep(
    presented: Presented,
    step: { organizationId: string; serviceId: string; step: string },
  ): Promise<void>
  /**
   * A new account with its organization. The same `accountId` again returns a new link. Without a public URL, links begin
   * with `here`. @throws {Problem} 403, 409, 422
   */
  provision(draft: ProvisionDraft, here: string | null): Promise<ReceivedProvisioning>
  /** @throws {Problem} 404 */
  replaceEntitlement(organizationId: string, entitlement: Entitlement): Promise<EntitlementState>
  /** @throws {Problem} 503 */
  seats(organizationId: string): Promise<Seats>
  /** A one-time link that signs the caller in to a service; `here` is the origin of their request. @throws {Problem} 403, 409 `context_required`, 422 */
  handOff(presented: Presented, request: HandoffRequest, here: string): Promise<ReceivedHandoff>
  /** Exchanges a session for a token that is good for one app alone. @throws {Problem} 403 without a session, 404 where it isn’t installed */
  appToken(presented: Presented, service: string): Promise<AppToken>
}
