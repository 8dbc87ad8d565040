import type { CallableAction } from '#lib/actions.ts'
import type { Actor } from '#lib/actor.ts'
import { Problem, unauthorized } from '#lib/errors.ts'
import { listOf, type PageOf } from '#lib/paginate.ts'
import {
  PermissionHolder,
  PlatformOrganization,
  AccountsStatus,
  MemberAccess,
  MemberState,
  NamedResource,
  App,
  Audience,
  CatalogService,
  Colleague,
  Me,
  OrganizationState,
  Preferences,
  SecondFactorProof,
  LiveSession,
  ReceivedProvision,
  ReceivedValidation,
  Service,
  type Validation,
  Person,
} from '../contract.ts'
import { Onboarding } from '../accounts/onboarding/contract.ts'
import { AccountErasure, OrganizationErasure } from '../deletion/contract.ts'
import { AppToken } from '../tokens/app-tokens/contract.ts'
import { BindableReportResult } from '../organizations/bindable-resources/contract.ts'
import { ReceivedHandoff } from '../oauth/contract.ts'
import {
  ChosenApps,
  EntitlementState,
  InstallationState,
  OrganizationCatalog,
  Seats,
} from '../organizations/entitlements/contract.ts'
import { ReceivedOnboarding } from '../organizations/onboarding/contract.ts'
import { ReceivedProvisioning } from '../organizations/provisioning/contract.ts'
import { OrganizationAccess } from '../organizations/permissions/contract.ts'
import { Action } from '../registry/actions/contract.ts'
import type { Presented } from '../tokens/credential.ts'
import { actorOf, actorOfMember, type ValidationResponse } from './actor.ts'
import type { IdentityClient } from './client.ts'
import { createRequests, identitySlug, unavailable, type RequestsOptions, type Requests } from './requests.ts'

interface Options extends RequestsOptions {
  /** Set in identity's own process, where no request is needed. */
  validate?: (presented: Presented) => Promise<Validation>
  /** Set there too: what every page shows of the person, and the tools of `/mcp`. */
  inProcess?: {
    me(actor: Actor): Promise<Me>
    preferences(actor: Actor): Promise<Preferences>
    actions(actor: Actor, query: { cursor?: string; name?: string; limit: number }): Promise<PageOf<CallableAction>>
    appToken(presented: Presented, service: string): Promise<AppToken>
  }
}

const dashboard = 'platform-dashboard-api'
const maxCached = 10_000
/** Also how long a failed lookup of an organization's state is cached. */
const stateTtlMs = 2_000
const reachTimeoutMs = 1_000
const actionsPerPage = 100

/** `fetch` can be this process's own server. */
export function createIdentityClient({ validate, inProcess, ...options }: Options): IdentityClient {
  const { fetch, baseUrl } = options
  const requests = createRequests(options)
  const { fetchJson, requestAsService } = requests
  let accountsExist = false
  /** Keyed by organization: every member gets the same list. */
  const apps = new Map<string | null, { launched: App[]; until: number }>()
  const serviceIds = new Map<string, Promise<string>>()
  const states = new Map<string, { state: Promise<OrganizationState>; until: number }>()
  const members = new Map<string, { member: Promise<boolean>; until: number }>()
  /** Cached validations share their principal object, as do all tokens of one grant. */
  const actors = new WeakMap<ValidationResponse['principal'], Actor>()

  const validateCredential = async (presented: Presented): Promise<ValidationResponse> =>
    validate
      ? validate(presented).catch((cause: unknown) => {
          throw cause instanceof Problem && cause.status === 401 ? cause : unavailable(cause)
        })
      : fetchJson(ReceivedValidation, pathFor(presented), headersOf(presented))

  async function authenticate(presented: Presented): Promise<Actor> {
    const answer = await validateCredential(presented)
    // A token for one app is accepted only where the operation says so.
    const audience = answer.tokenType === 'service' ? (presented.audience ?? identitySlug) : presented.app
    if (answer.audience !== null && answer.audience !== audience)
      throw unauthorized(`This ${answer.tokenType === 'service' ? 'service ' : ''}token is for another service.`)
    const known = actors.get(answer.principal)
    if (known) return known
    const actor = actorOf(answer)
    actors.set(answer.principal, actor)
    return actor
  }

  const organizationState = (organizationId: string): Promise<OrganizationState> => {
    const known = states.get(organizationId)
    if (known && known.until > performance.now()) return known.state
    const state = requestAsService(OrganizationState, `/api/internal/organizations/${organizationId}/state`)
    if (states.size > maxCached) states.clear()
    states.set(organizationId, { state, until: performance.now() + stateTtlMs })
    state.catch(() => states.delete(organizationId))
    return state
  }

  const serviceId = (slug: string): Promise<string> => {
    const id =
      serviceIds.get(slug) ?? fetchJson(Service, `/api/services/by-slug/${slug}`, {}).then((service) => service.id)
    serviceIds.set(slug, id)
    id.catch(() => serviceIds.delete(slug))
    return id
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
    adminOrganizationId: async () =>
      (await requestAsService(PlatformOrganization, '/api/internal/admin-organization')).id,
    organizationState,
    isSuspended: async (organizationId) => (await organizationState(organizationId)).suspended,
    isMember: (organizationId, userId) => {
      const path = `/api/internal/organizations/${organizationId}/members/${userId}`
      const known = members.get(path)
      if (known && known.until > performance.now()) return known.member
      const member = requestAsService(MemberState, path).then((state) => state.member)
      if (members.size > maxCached) members.clear()
      members.set(path, { member, until: performance.now() + stateTtlMs })
      member.catch(() => members.delete(path))
      return member
    },
    memberActor: async (organizationId, userId) => {
      const path = `/api/internal/organizations/${organizationId}/members/${userId}/access`
      return actorOfMember(userId, await requestAsService(MemberAccess, path, { refusals: [404] }))
    },
    usedSeats: async (organizationId) => {
      const path = `/api/internal/organizations/${organizationId}/seats`
      return (await requestAsService(Seats, path, { service: 'platform-pay' })).used
    },
    permissionHolders: async (organizationId, service, permission) => {
      const query = new URLSearchParams({ permission: `${await serviceId(service)}.${permission}` })
      const path = `/api/internal/organizations/${organizationId}/permission-holders?${query}`
      return (await requestAsService(listOf(PermissionHolder), path)).items
    },
    audience: (organizationId, { ids, after, limit }) => {
      const query = new URLSearchParams({
        limit: String(limit),
        ...(ids && { ids: ids.join(',') }),
        ...(after !== undefined && { after }),
      })
      const path = `/api/internal/organizations/${organizationId}/audience?${query}`
      return requestAsService(Audience, path, { service: dashboard })
    },
    liveSessions: async (ids) => {
      const parts = partsOf([...new Set(ids)]).map((part) =>
        requestAsService(listOf(LiveSession), `/api/internal/sessions?ids=${part.join(',')}`, { service: dashboard }),
      )
      return new Set((await Promise.all(parts)).flatMap(({ items }) => items.map(({ id }) => id)))
    },
    proveSecondFactor: async (userId, code) => {
      const path = `/api/internal/users/${userId}/second-factor-proof`
      await requestAsService(SecondFactorProof, path, {
        service: 'platform-pay',
        sent: { code },
        refusals: [422, 429],
      })
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
    accountsToErase: async (service) => {
      const { items } = await requestAsService(listOf(AccountErasure), '/api/internal/account-erasures', { service })
      return items.map(({ userId }) => userId)
    },
    reportAccountErased: async (service, userId) => {
      await requestAsService(AccountErasure, `/api/internal/account-erasures/${userId}`, { service, sent: {} })
    },
    provisionGateway: (organizationId) =>
      requestAsService(ReceivedProvision, `/api/internal/organizations/${organizationId}/gateway-access`, {
        service: 'platform-gateway',
        sent: {},
        refusals: [403, 404],
      }),
    reportBindables: async (service, items) => {
      await requestAsService(BindableReportResult, '/api/internal/bindable-resources', { service, sent: { items } })
    },
    hasAccounts: async () => {
      if (accountsExist) return true
      const answer = await requestAsService(AccountsStatus, '/api/internal/has-accounts').catch(() => null)
      accountsExist = answer?.hasAccounts ?? false
      return answer?.hasAccounts ?? true
    },
    apps: async (presented, organizationId) => {
      const known = apps.get(organizationId)
      if (known && known.until > Date.now()) return known.launched
      // The session's context can change meanwhile, and the list is kept for everyone in this one.
      const path = `/api/auth/services?${new URLSearchParams({ context: organizationId ?? 'personal' })}`
      const { items } = await fetchJson(listOf(CatalogService), path, headersOf(presented), { refusals: [404] })
      const launched = appsIn(items)
      if (apps.size > maxCached) apps.clear()
      apps.set(organizationId, { launched, until: Date.now() + stateTtlMs })
      return launched
    },
    installedApps: async (organizationId) => {
      const path = `/api/internal/organizations/${organizationId}/services`
      return appsIn((await requestAsService(listOf(CatalogService), path, { service: 'platform-dashboard-api' })).items)
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
    appToken: (presented, service) =>
      inProcess
        ? inProcess.appToken(presented, service)
        : requestAsService(AppToken, '/api/internal/app-tokens', {
            service: dashboard,
            sent: { service, credential: headersOf(presented) },
            refusals: [403, 404],
          }),
    permissionsIn: async (presented, organizationId) => {
      const path = `/api/organizations/${organizationId}/access`
      const access = await fetchJson(OrganizationAccess, path, headersOf(presented), { refusals: [403, 404] })
      return new Set(access.permissions)
    },
    me: async (presented) =>
      inProcess ? inProcess.me(await authenticate(presented)) : fetchJson(Me, '/api/auth/me', headersOf(presented)),
    onboarding: (presented) => fetchJson(Onboarding, '/api/auth/me/onboarding', headersOf(presented)),
    updatePreferences: (presented, edit) =>
      fetchJson(Preferences, '/api/auth/app-switcher/preferences', changingHeaders(presented), { sent: edit }),
    updateAppPreferences: (presented, { id, ...edit }) =>
      fetchJson(Preferences, `/api/auth/app-switcher/apps/${id}`, changingHeaders(presented), {
        sent: edit,
        refusals: [404],
      }),
    catalog: async (organizationId) => {
      const query = organizationId === null ? '' : `?${new URLSearchParams({ organizationId })}`
      const path = `/api/internal/catalog${query}`
      const { items: found, plan } = await requestAsService(OrganizationCatalog, path, { service: dashboard })
      return { apps: found, plan }
    },
    entitlement: (organizationId) =>
      requestAsService(EntitlementState, `/api/internal/organizations/${organizationId}/entitlement`, {
        service: dashboard,
      }),
    provision: (sent, here) => {
      const path = '/api/internal/provision-from-checkout'
      return requestAsService(ReceivedProvisioning, inProcess && here !== null ? here + path : path, {
        service: dashboard,
        method: 'POST',
        sent,
        refusals: [403, 409],
      })
    },
    replaceEntitlement: (organizationId, sent) =>
      requestAsService(EntitlementState, `/api/internal/organizations/${organizationId}/entitlement`, {
        service: dashboard,
        sent,
        refusals: [404],
      }),
    seats: (organizationId) =>
      requestAsService(Seats, `/api/internal/organizations/${organizationId}/seats`, { service: dashboard }),
    setInstalled: async (organizationId, appId, sent) => {
      const path = `/api/internal/organizations/${organizationId}/apps/${appId}`
      await requestAsService(InstallationState, path, { service: dashboard, sent, refusals: [402, 404, 409] })
      apps.delete(organizationId)
    },
    chooseApps: async (organizationId, sent) => {
      const path = `/api/internal/organizations/${organizationId}/apps`
      await requestAsService(ChosenApps, path, { service: dashboard, sent, refusals: [402, 404, 409, 422] })
      apps.delete(organizationId)
    },
    finishOnboardingStep: async (presented, { organizationId, serviceId: service, step }) => {
      const path = `/api/organizations/${organizationId}/services/${service}/onboarding/${step}`
      const sent = { outcome: 'done' }
      await fetchJson(ReceivedOnboarding, path, changingHeaders(presented), { sent, refusals: [403, 404, 409] })
    },
    handOff: (presented, sent, here) =>
      // Without a public URL, identity compares the redirect URI with the origin of the request.
      fetchJson(
        ReceivedHandoff,
        inProcess ? `${here}/sso/handoff-code` : '/sso/handoff-code',
        changingHeaders(presented),
        {
          method: 'POST',
          sent,
          refusals: [403, 404, 409, 422],
        },
      ),
    serviceId,
    people: createNames(requests),
    names: async (organizationId, ids) => {
      const distinct = [...new Set(ids)]
      if (distinct.length === 0) return new Map()
      const path = `/api/internal/organizations/${organizationId}/names?ids=${distinct.slice(0, maxIdsPerRequest).join(',')}`
      const found = await requestAsService(listOf(NamedResource), path).catch(() => ({ items: [] }))
      return new Map(found.items.map(({ id, name }) => [id, name]))
    },
  }
}

const appsIn = (items: readonly CatalogService[]): App[] => items.flatMap((item) => App.safeParse(item).data ?? [])

const pathFor = ({ permission }: Presented): string =>
  permission === undefined ? '/validate' : `/validate?${new URLSearchParams({ permission })}`

/** The server that this client runs in has checked where the request came from. */
const changingHeaders = (presented: Presented): Record<string, string> => ({
  ...headersOf(presented),
  'content-type': 'application/json',
  'sec-fetch-site': 'same-origin',
})

const headersOf = ({ authorization, cookie }: Presented): Record<string, string> => {
  if (authorization !== undefined) return { authorization }
  return cookie === undefined ? {} : { cookie }
}

const ttlMs = 30_000
/** How long a failed lookup isn't repeated: each one can take until the timeout of a request. */
const failureTtlMs = 2_000
const maxCachedNames = 10_000
const maxIdsPerRequest = 100

const partsOf = (ids: string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / maxIdsPerRequest) }, (_, at) =>
    ids.slice(at * maxIdsPerRequest, (at + 1) * maxIdsPerRequest),
  )

function createNames({ requestAsService }: Requests) {
  /** Null for ids that identity doesn't know. */
  const names = new Map<string, { person: Person | null; until: number }>()

  /** Names are optional: responses omit them while identity is unavailable. */
  const loadNames = (ids: string[]): Promise<void> =>
    fetchNames(ids).catch(() => {
      const until = Date.now() + failureTtlMs
      for (const id of ids) names.set(id, { person: names.get(id)?.person ?? null, until })
    })

  async function fetchNames(ids: string[]): Promise<void> {
    const found = await requestAsService(listOf(Person), `/api/internal/users?ids=${ids.join(',')}`)
    if (names.size > maxCachedNames) names.clear()
    const people = new Map(found.items.map((person) => [person.id, person]))
    for (const id of ids) names.set(id, { person: people.get(id) ?? null, until: Date.now() + ttlMs })
  }

  /** Unknown ids are left out, and all that are not cached while identity is unavailable. */
  return async (ids: readonly string[]): Promise<Map<string, Person>> => {
    const now = Date.now()
    const missing = [...new Set(ids.filter((id) => (names.get(id)?.until ?? 0) <= now))]
    const parts = partsOf(missing)
    if (parts.length > 0) await Promise.all(parts.map(loadNames))
    const people = new Map<string, Person>()
    for (const id of ids) {
      const person = names.get(id)?.person
      if (person) people.set(id, person)
    }
    return people
  }
}
