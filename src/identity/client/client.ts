import type { CallableAction } from '#lib/actions.ts'
import type { Actor } from '#lib/actor.ts'
import type { PageOf } from '#lib/paginate.ts'
import type { App, Colleague, Me, Person, Preferences } from '../contract.ts'
import type { BindableReport } from '../organizations/bindable-resources/contract.ts'
import type { Presented } from '../tokens/credential.ts'

/** The calls that other contexts make to identity, in this process or another. */
export interface IdentityClient {
  /**
   * Resolves the caller.
   * @throws {Problem} 401 for a refused credential, 503 when identity is unavailable
   */
  validate(presented: Presented): Promise<Actor>
  /** Whether identity responds within a second. Not cached. */
  isReachable(): Promise<boolean>
  /**
   * The service's id in this environment.
   * @throws {Problem} 503 when identity is unavailable
   */
  serviceId(slug: string): Promise<string>
  /**
   * At most 100 ids of organizations whose data the service has to erase. `service` is a slug.
   * @throws {Problem} 503
   */
  organizationsToErase(service: string): Promise<string[]>
  /**
   * Reports that the service has erased an organization's data. `service` is a slug.
   * @throws {Problem} 503
   */
  reportErased(service: string, organizationId: string): Promise<void>
  /**
   * Reports up to 100 resources of the service that keys can be bound to. `service` is a slug.
   * @throws {Problem} 503
   */
  reportBindables(service: string, reports: readonly BindableReport[]): Promise<void>
  /** The names of people by id. Unknown ids are left out, and all of them while identity is unavailable. */
  people(ids: readonly string[]): Promise<Map<string, Person>>
  /**
   * Whether an organization is suspended; up to two seconds old.
   * @throws {Problem} 503 when identity is unavailable
   */
  isSuspended(organizationId: string): Promise<boolean>
  /** Whether anyone has signed up; true while identity is unavailable. */
  hasAccounts(): Promise<boolean>
  /**
   * The apps that people open in an organization, or in the personal context for null, by name; up to two seconds old.
   * @throws {Problem} 401 and 503 like `validate`
   */
  apps(presented: Presented, organizationId: string | null): Promise<App[]>
  /**
   * The person's app switcher and theme preferences (IDN-21).
   * @throws {Problem} 401 and 503 like `validate`
   */
  preferences(presented: Presented): Promise<Preferences>
  /** Members of an organization whose name or address contains the text; empty for a caller who isn't a member. */
  colleagues(presented: Presented, organizationId: string, text: string): Promise<Colleague[]>
  /**
   * The actions that a credential can call, by name: one page, or the one named `name`.
   * @throws {Problem} 401, 422 and 503
   */
  actions(presented: Presented, query: { cursor?: string; name?: string }): Promise<PageOf<CallableAction>>
  /**
   * The permissions that the person's session would have in one of their organizations.
   * @throws {Problem} 401, 503, 404 for another organization, 403 for one that is suspended or has stricter sign-in
   * rules than the session meets
   */
  permissionsIn(presented: Presented, organizationId: string): Promise<ReadonlySet<string>>
  /**
   * The signed-in person and their organizations.
   * @throws {Problem} 401 and 503 like `validate`
   */
  me(presented: Presented): Promise<Me>
}
