import type { CallableAction } from '#lib/actions.ts'
import type { Actor } from '#lib/actor.ts'
import { Problem, unauthorized } from '#lib/errors.ts'
import type { PageOf } from '#lib/paginate.ts'
import { ReceivedValidation, Service, type Me, type Preferences, type Validation } from '../contract.ts'
import type { AppToken } from '../tokens/app-tokens/contract.ts'
import type { Presented } from '../tokens/credential.ts'
import { createAccounts } from './accounts.ts'
import { actorOf, type ValidationResponse } from './actor.ts'
import { createApps } from './apps.ts'
import type { IdentityClient } from './client.ts'
import { createErasures } from './erasures.ts'
import { headersOf } from './headers.ts'
import { createOrganizations } from './organizations.ts'
import { createPeople } from './people.ts'
import { createPlans } from './plans.ts'
import { createRequests, identitySlug, unavailable, type RequestsOptions } from './requests.ts'

interface ActionQuery {
  cursor?: string
  name?: string
  limit: number
}

interface Options extends RequestsOptions {
  /** Set in identity's own process, where no request is needed. */
  validate?: (presented: Presented) => Promise<Validation>
  /** Set there too: what every page shows of the person, and the tools of `/mcp`. */
  inProcess?: {
    me(actor: Actor): Promise<Me>
    preferences(actor: Actor): Promise<Preferences>
    actions(actor: Actor, query: ActionQuery): Promise<PageOf<CallableAction>>
    appToken(presented: Presented, service: string): Promise<AppToken>
  }
}

const reachTimeoutMs = 1_000

/** `fetch` can be this process's own server. */
export function createIdentityClient({ validate, inProcess, ...options }: Options): IdentityClient {
  const { fetch, baseUrl } = options
  const requests = createRequests(options)
  const { fetchJson } = requests
  const serviceIds = new Map<string, Promise<string>>()
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

  const serviceId = (slug: string): Promise<string> => {
    const id =
      serviceIds.get(slug) ?? fetchJson(Service, `/api/services/by-slug/${slug}`, {}).then((service) => service.id)
    serviceIds.set(slug, id)
    id.catch(() => serviceIds.delete(slug))
    return id
  }

  const local = inProcess && {
    me: async (presented: Presented) => inProcess.me(await authenticate(presented)),
    preferences: async (presented: Presented) => inProcess.preferences(await authenticate(presented)),
    actions: async (presented: Presented, query: ActionQuery) =>
      inProcess.actions(await authenticate(presented), query),
    appToken: inProcess.appToken,
  }

  return {
    ...createAccounts(requests, local),
    ...createApps(requests, local),
    ...createErasures(requests),
    ...createOrganizations(requests, serviceId),
    ...createPlans(requests, local !== undefined),
    people: createPeople(requests),
    validate: authenticate,
    serviceId,
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
  }
}

const pathFor = ({ permission }: Presented): string =>
  permission === undefined ? '/validate' : `/validate?${new URLSearchParams({ permission })}`
