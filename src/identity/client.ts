import { z } from 'zod'
import type { CallableAction } from '#lib/actions.ts'
import type { Actor, Binding } from '#lib/actor.ts'
import { Problem, retryLater, unauthorized } from '#lib/errors.ts'
import { listOf } from '#lib/paginate.ts'
import type { PageOf } from '#lib/paginate.ts'
import { traceHeaders } from '#lib/telemetry.ts'
import { adminOrganization } from './admin/admin-organization.ts'
import { Action } from './registry/actions/contract.ts'
import { BindableReceipt, type BindableReport } from './organizations/bindable-resources/contract.ts'
import {
  AccountsExist,
  App,
  CatalogService,
  Colleague,
  Me,
  OrganizationState,
  Person,
  Preferences,
  ReceivedValidation,
  Service,
  type Validation,
} from './contract.ts'
import type { Presented } from './tokens/credential.ts'
import { OrganizationErasure } from './deletion/contract.ts'
import type { TokenSource } from './tokens/service-keys/token-cache.ts'
import { OrganizationAccess } from './organizations/permissions/contract.ts'

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

interface Options {
  fetch: (request: Request) => Promise<Response>
  /** Identity's URL; `http://localhost` when it runs in this process. */
  baseUrl: string
  /** The service whose token is used for calls that any service can make. */
  caller?: string
  /** Tokens that authenticate the services of this process to identity. */
  serviceTokens?: TokenSource
  /** Set in identity's own process, where no request is needed. */
  validate?: (presented: Presented) => Promise<Validation>
  /** Set there too: what every page shows of the person, and the tools of `/mcp`. */
  inProcess?: {
    me(actor: Actor): Promise<Me>
    preferences(actor: Actor): Promise<Preferences>
    actions(actor: Actor, query: { cursor?: string; name?: string; limit: number }): Promise<PageOf<CallableAction>>
  }
}

interface RequestOptions {
  /** The body. Its presence makes the request a PUT. */
  sent?: object
  /** Statuses whose problem is passed on to the caller unchanged. */
  refusals?: readonly number[]
}

const identitySlug = 'platform-identity'
const timeoutMs = 5_000
const nameTtlMs = 30_000
const maxCached = 10_000
/** Also how long a failed lookup of an organization's state is cached. */
const stateTtlMs = 2_000
const maxIdsPerRequest = 100
const reachTimeoutMs = 1_000
const actionsPerPage = 100

const isUnauthorized = (error: unknown): boolean => error instanceof Problem && error.status === 401

const unavailable = (cause: unknown) =>
  retryLater(
    503,
    'identity_unavailable',
    'Your sign-in can’t be verified right now, so nothing was changed. Try again in a few seconds.',
    { cause },
  )

/** A client of identity over `fetch`, which can be this process's own server. */
export function createIdentityClient({
  fetch,
  baseUrl,
  caller,
  serviceTokens,
  validate,
  inProcess,
}: Options): IdentityClient {
  let accountsExist = false
  /** Keyed by organization: every member gets the same list. */
  const apps = new Map<string | null, { launched: App[]; until: number }>()
  const serviceIds = new Map<string, Promise<string>>()
  const states = new Map<string, { suspended: Promise<boolean>; until: number }>()
  /** Null for ids that identity doesn't know. */
  const names = new Map<string, { person: Person | null; until: number }>()
  /** Cached validations share their principal object, as do all tokens of one grant. */
  const actors = new WeakMap<ValidationResponse['principal'], Actor>()

  async function fetchJson<Answer>(
    schema: z.ZodType<Answer>,
    path: string,
    headers: Record<string, string>,
    { sent, refusals = [] }: RequestOptions = {},
  ): Promise<Answer> {
    const request = new Request(new URL(path, baseUrl), {
      headers: { accept: 'application/json', ...traceHeaders(), ...headers },
      ...(sent && { method: 'PUT', body: JSON.stringify(sent) }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const response = await fetch(request).catch((cause: unknown) => {
      throw unavailable(cause)
    })
    if (response.status === 401) throw unauthorized(await readDetail(response))
    if (refusals.includes(response.status)) throw await readRefusal(response)
    if (response.status === 422) throw new Problem(422, 'validation_failed', (await readDetail(response)) ?? '')
    if (!response.ok) throw unavailable(new Error(`${path} responded ${response.status}`))
    const read = response.json().then((body) => schema.parseAsync(body))
    return read.catch((cause: unknown) => {
      throw unavailable(cause)
    })
  }

  const validateCredential = async (presented: Presented): Promise<ValidationResponse> =>
    validate
      ? validate(presented).catch((cause: unknown) => {
          throw cause instanceof Problem && cause.status === 401 ? cause : unavailable(cause)
        })
      : fetchJson(ReceivedValidation, pathFor(presented), headersOf(presented))

  /** A request with a service token, for calls that no person makes. */
  async function requestAsService<Answer>(
    schema: z.ZodType<Answer>,
    path: string,
    { service = caller, sent }: { service?: string; sent?: object } = {},
  ): Promise<Answer> {
    if (!serviceTokens || service === undefined) throw unavailable(new Error('This client has no service tokens'))
    const tokens = serviceTokens(service)
    const tokenOf = (options?: { fresh: true }) =>
      tokens(identitySlug, options).catch((cause: unknown) => {
        throw unavailable(cause)
      })
    const requestWith = (token: string) =>
      fetchJson(schema, path, { authorization: `Bearer ${token}`, 'content-type': 'application/json' }, { sent })
    return requestWith(await tokenOf()).catch(async (error: unknown) => {
      if (!isUnauthorized(error)) throw error
      // The key that signed the token may have been replaced.
      return requestWith(await tokenOf({ fresh: true })).catch((cause: unknown) => {
        throw isUnauthorized(cause) ? unavailable(cause) : cause
      })
    })
  }

  async function loadNames(ids: string[]): Promise<void> {
    const found = await requestAsService(listOf(Person), `/api/internal/users?ids=${ids.join(',')}`)
    if (names.size > maxCached) names.clear()
    const people = new Map(found.items.map((person) => [person.id, person]))
    for (const id of ids) names.set(id, { person: people.get(id) ?? null, until: Date.now() + nameTtlMs })
  }

  async function authenticate(presented: Presented): Promise<Actor> {
    const answer = await validateCredential(presented)
    const audience = presented.audience ?? identitySlug
    if (answer.audience !== null && answer.audience !== audience)
      throw unauthorized('This service token is for another service.')
    const known = actors.get(answer.principal)
    if (known) return known
    const actor = actorOf(answer)
    actors.set(answer.principal, actor)
    return actor
  }

  return {
    validate: authenticate,
    isReachable: async () => {
      // In identity's own process the database's readiness check is enough.
      if (validate) return true
      const request = new Request(new URL(`/api/services/by-slug/${identitySlug}`, baseUrl), {
        signal: AbortSignal.timeout(reachTimeoutMs),
      })
      const status = await fetch(request).then(
        (response) => {
          void response.body?.cancel().catch(() => {}) // An unread body keeps the connection busy.
          return response.status
        },
        () => 0,
      )
      // 429 is a response too: only this address is over its limit.
      return status === 200 || status === 429
    },
    isSuspended: (organizationId) => {
      const known = states.get(organizationId)
      if (known && known.until > performance.now()) return known.suspended
      const path = `/api/internal/organizations/${organizationId}/state`
      const suspended = requestAsService(OrganizationState, path).then((state) => state.suspended)
      if (states.size > maxCached) states.clear()
      states.set(organizationId, { suspended, until: performance.now() + stateTtlMs })
      return suspended
    },
    organizationsToErase: async (service) => {
      const path = '/api/internal/organization-erasures'
      const { items } = await requestAsService(listOf(OrganizationErasure), path, { service })
      return items.map(({ organizationId }) => organizationId)
    },
    reportErased: async (service, organizationId) => {
      const path = `/api/internal/organization-erasures/${organizationId}`
      await requestAsService(OrganizationErasure, path, { service, sent: {} })
    },
    reportBindables: async (service, items) => {
      await requestAsService(BindableReceipt, '/api/internal/bindable-resources', { service, sent: { items } })
    },
    hasAccounts: async () => {
      if (accountsExist) return true
      const answer = await requestAsService(AccountsExist, '/api/internal/has-accounts').catch(() => null)
      accountsExist = answer?.hasAccounts ?? false
      return answer?.hasAccounts ?? true
    },
    apps: async (presented, organizationId) => {
      const known = apps.get(organizationId)
      if (known && known.until > Date.now()) return known.launched
      const { items } = await fetchJson(listOf(CatalogService), '/api/auth/services', headersOf(presented))
      const launched = items.flatMap((item) => App.safeParse(item).data ?? [])
      if (apps.size > maxCached) apps.clear()
      apps.set(organizationId, { launched, until: Date.now() + stateTtlMs })
      return launched
    },
    preferences: async (presented) =>
      inProcess
        ? inProcess.preferences(await authenticate(presented))
        : fetchJson(Preferences, '/api/auth/app-switcher/preferences', headersOf(presented)),
    colleagues: async (presented, organizationId, text) => {
      const query = new URLSearchParams({ q: text, limit: '20' })
      const path = `/api/organizations/${organizationId}/members?${query}`
      return (await fetchJson(listOf(Colleague), path, headersOf(presented))).items
    },
    actions: async (presented, { cursor, name }) => {
      if (inProcess) return inProcess.actions(await authenticate(presented), { cursor, name, limit: actionsPerPage })
      const query = new URLSearchParams({
        limit: String(actionsPerPage),
        ...(cursor !== undefined && { cursor }),
        ...(name !== undefined && { name }),
      })
      return fetchJson(listOf(Action), `/api/actions/catalog?${query}`, headersOf(presented))
    },
    permissionsIn: async (presented, organizationId) => {
      const path = `/api/organizations/${organizationId}/access`
      const access = await fetchJson(OrganizationAccess, path, headersOf(presented), { refusals: [403, 404] })
      return new Set(access.permissions)
    },
    me: async (presented) =>
      inProcess ? inProcess.me(await authenticate(presented)) : fetchJson(Me, '/api/auth/me', headersOf(presented)),
    serviceId: (slug) => {
      const id =
        serviceIds.get(slug) ?? fetchJson(Service, `/api/services/by-slug/${slug}`, {}).then((service) => service.id)
      serviceIds.set(slug, id)
      id.catch(() => serviceIds.delete(slug))
      return id
    },
    people: async (ids) => {
      const fresh = (id: string) => (names.get(id)?.until ?? 0) > Date.now()
      const missing = [...new Set(ids)].filter((id) => !fresh(id))
      const parts = Array.from({ length: Math.ceil(missing.length / maxIdsPerRequest) }, (_, at) =>
        missing.slice(at * maxIdsPerRequest, (at + 1) * maxIdsPerRequest),
      )
      // Names are optional: pages render without them while identity is unavailable.
      await Promise.all(parts.map(loadNames)).catch(() => {})
      const known = ids.flatMap((id) => names.get(id)?.person ?? [])
      return new Map(known.map((person) => [person.id, person]))
    },
  }
}

const pathFor = ({ permission }: Presented): string =>
  permission === undefined ? '/validate' : `/validate?${new URLSearchParams({ permission })}`

const headersOf = ({ authorization, cookie }: Presented): Record<string, string> => {
  if (authorization !== undefined) return { authorization }
  return cookie === undefined ? {} : { cookie }
}

type ValidationResponse = z.output<typeof ReceivedValidation>

const actorOf = ({
  tokenType,
  principal,
  organization,
  permissions,
  suspension,
  onlyIn,
  resources,
  barred,
  service,
  app,
  sessionId,
  apiKey,
}: ValidationResponse): Actor => ({
  tokenType,
  principal,
  credential: { kind: tokenType, id: apiKey?.id ?? sessionId ?? principal.id, test: apiKey?.mode === 'test' },
  organization,
  permissions: new Set(permissions),
  suspension,
  onlyIn,
  unmetRequirement: barred,
  bindings: resources.length > 0 ? resources.map(bindingOf) : (apiKey?.bindings ?? []),
  service,
  app,
  isSuperAdmin: principal.principalType === 'platform_super_admin' && organization?.slug === adminOrganization,
})

const bindingOf = ({ permissions, ...binding }: ValidationResponse['resources'][number]): Binding => ({
  ...binding,
  permissions: new Set(permissions),
})

const Detail = z.object({ detail: z.string() })
const Refusal = Detail.extend({ code: z.string() })

/** The problem of a response, or 503 when it isn't one. */
async function readRefusal(response: Response): Promise<Problem> {
  const refusal = Refusal.safeParse(await response.json().catch(() => null))
  if (!refusal.success) return unavailable(new Error(`${response.url} responded ${response.status}`))
  return new Problem(response.status, refusal.data.code, refusal.data.detail)
}

async function readDetail(response: Response): Promise<string | undefined> {
  const body = Detail.safeParse(await response.json().catch(() => null))
  return body.success ? body.data.detail : undefined
}
