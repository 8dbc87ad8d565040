import type { CallableAction } from '#lib/actions.ts'
import { listOf, type PageOf } from '#lib/paginate.ts'
import { App, CatalogService } from '../contract.ts'
import { ReceivedHandoff } from '../oauth/contract.ts'
import { ChosenApps, InstallationState, OrganizationCatalog } from '../organizations/entitlements/contract.ts'
import { Action } from '../registry/actions/contract.ts'
import { AppToken } from '../tokens/app-tokens/contract.ts'
import type { Presented } from '../tokens/credential.ts'
import type { IdentityClient } from './client.ts'
import { changingHeaders, headersOf } from './headers.ts'
import { dashboardSlug, type Requests } from './requests.ts'

type Apps = Pick<
  IdentityClient,
  'apps' | 'installedApps' | 'catalog' | 'setInstalled' | 'chooseApps' | 'actions' | 'appToken' | 'handOff'
>

/** What identity's own process answers without a request. */
export interface LocalApps {
  actions(
    presented: Presented,
    query: { cursor?: string; name?: string; limit: number },
  ): Promise<PageOf<CallableAction>>
  appToken(presented: Presented, service: string): Promise<AppToken>
}

const appsTtlMs = 2_000
const maxCached = 10_000
const actionsPerPage = 100

export function createApps({ fetchJson, requestAsService }: Requests, inProcess: LocalApps | undefined): Apps {
  /** Keyed by organization: every member gets the same list. */
  const launched = new Map<string | null, { apps: App[]; until: number }>()
  return {
    apps: async (presented, organizationId) => {
      const known = launched.get(organizationId)
      if (known && known.until > Date.now()) return known.apps
      // The session's context can change meanwhile, and the list is kept for everyone in this one.
      const path = `/api/auth/services?${new URLSearchParams({ context: organizationId ?? 'personal' })}`
      const { items } = await fetchJson(listOf(CatalogService), path, headersOf(presented), { refusals: [404] })
      const apps = appsIn(items)
      if (launched.size > maxCached) launched.clear()
      launched.set(organizationId, { apps, until: Date.now() + appsTtlMs })
      return apps
    },
    installedApps: async (organizationId) => {
      const path = `/api/internal/organizations/${organizationId}/services`
      return appsIn((await requestAsService(listOf(CatalogService), path, { service: dashboardSlug })).items)
    },
    catalog: async (organizationId) => {
      const query = organizationId === null ? '' : `?${new URLSearchParams({ organizationId })}`
      const path = `/api/internal/catalog${query}`
      const { items: found, plan } = await requestAsService(OrganizationCatalog, path, { service: dashboardSlug })
      return { apps: found, plan }
    },
    setInstalled: async (organizationId, appId, sent) => {
      const path = `/api/internal/organizations/${organizationId}/apps/${appId}`
      await requestAsService(InstallationState, path, { service: dashboardSlug, sent, refusals: [402, 404, 409] })
      launched.delete(organizationId)
    },
    chooseApps: async (organizationId, sent) => {
      const path = `/api/internal/organizations/${organizationId}/apps`
      await requestAsService(ChosenApps, path, { service: dashboardSlug, sent, refusals: [402, 404, 409, 422] })
      launched.delete(organizationId)
    },
    actions: async (presented, { cursor, name }) => {
      if (inProcess) return inProcess.actions(presented, { cursor, name, limit: actionsPerPage })
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
            service: dashboardSlug,
            sent: { service, credential: headersOf(presented) },
            refusals: [403, 404],
          }),
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
  }
}

const appsIn = (items: readonly CatalogService[]): App[] => items.flatMap((item) => App.safeParse(item).data ?? [])
