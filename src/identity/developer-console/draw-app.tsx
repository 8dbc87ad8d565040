import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { parameterOfPage } from '#lib/page.ts'
import { DeveloperAppView, type DeveloperAppProps } from '#views/identity/developer-console/app.tsx'
import { DeveloperApps, type DeveloperAppsProps } from '#views/identity/developer-console/apps.tsx'
import type { DeveloperApp } from './contract.ts'
import {
  getOwnDeveloperApp,
  getOwnDeveloperOrganization,
  listOwnAppActions,
  listOwnAppKeys,
  listOwnAppKeyServices,
  listOwnAppReviews,
  listOwnDeveloperApps,
  listRequestableScopes,
} from './own.operations.tsx'

type Asking = Pick<Call<unknown, Actor>, 'ask' | 'now'>

/** More than most organizations have; the page loads further apps on request. */
const pageSize = 50

export async function loadApps({ ask }: Asking, cursor?: string): Promise<DeveloperAppsProps> {
  const [organization, list] = await Promise.all([
    ask(getOwnDeveloperOrganization, {}),
    ask(listOwnDeveloperApps, { limit: pageSize, cursor }),
  ])
  return { organization, list }
}

export const drawApps = async (call: Asking) => <DeveloperApps {...await loadApps(call)} />

export const AppTab = z.enum(['overview', 'actions', 'keys', 'review']).default('overview').catch('overview')
type AppTab = z.output<typeof AppTab>

/** @throws {Problem} 404 for an app of another organization */
export async function loadApp(call: Asking, id: string, tab: AppTab): Promise<DeveloperAppProps> {
  const { ask } = call
  const [app, organization] = await Promise.all([ask(getOwnDeveloperApp, { id }), ask(getOwnDeveloperOrganization, {})])
  return loadTab(call, tab, { app, organization })
}

async function loadTab(
  { ask, now }: Asking,
  tab: AppTab,
  shared: Pick<DeveloperAppProps, 'app' | 'organization'>,
): Promise<DeveloperAppProps> {
  const { id, status } = shared.app
  if (tab === 'actions') return { ...shared, tab, actions: (await ask(listOwnAppActions, { id })).items }
  if (tab === 'review') return { ...shared, tab, reviews: (await ask(listOwnAppReviews, { id })).items }
  if (tab === 'overview') {
    const [scopes, reviews] = await Promise.all([
      ask(listRequestableScopes, {}),
      status === 'rejected' ? ask(listOwnAppReviews, { id }) : null,
    ])
    return { ...shared, tab, requestable: scopes.items, rejection: reviews?.items[0] ?? null }
  }
  const [keys, services] = await Promise.all([ask(listOwnAppKeys, { id }), ask(listOwnAppKeyServices, { id })])
  return { ...shared, tab, keys: keys.items, services: services.items, now: now() }
}

/** A changed app, with the tab that the page shows; its title is its name. */
export const drawApp = async ({ id, name }: DeveloperApp, call: Call<unknown, Actor>) => (
  <>
    <title safe>{`${name} · Atrium`}</title>
    <DeveloperAppView {...await loadApp(call, id, AppTab.parse(parameterOfPage(call, 'tab')))} />
  </>
)
