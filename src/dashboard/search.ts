import { and, ilike, isNull, eq, asc } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { isAllowed } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { matchesQuery, searchResult, searchSource, type SearchCall } from '#lib/search.ts'
import { capitalize } from '#lib/text.ts'
import { serviceNameOf } from './actions/services.ts'
import { visibleTo } from './actions/visible.ts'
import { readSource } from './catalog/list.ts'
import { notifications } from './schema.ts'
import { listWorkflowRows } from './workflows/store.ts'

/** Of each kind. */
const maxFound = 4
const maxWorkflows = 50

export const search = searchSource({
  kinds: {
    task: { title: 'Open actions', icon: 'inbox' },
    app: { title: 'Apps', icon: 'layout-grid' },
    workflow: { title: 'Workflows', icon: 'list-tree' },
  },
  find: async (call, words) => {
    const { actor, identity } = call
    if (actor.organization === null) return []
    const serviceId = await identity.serviceId('platform-dashboard-api')
    const found = await Promise.all([
      isAllowed(actor, 'notifications:read', serviceId) ? findActions(call, words) : [],
      isAllowed(actor, 'apps:read', serviceId) ? findApps(call, words) : [],
      isAllowed(actor, 'workflows:read', serviceId) ? findWorkflows(call, words) : [],
    ])
    return found.flat()
  },
})

type FindCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'identity'>

/** Open ones whose title contains the words, that should be done first. */
async function findActions(call: FindCall, words: string) {
  const open = and(
    isNull(notifications.resolvedAt),
    eq(notifications.surface, 'action'),
    ilike(notifications.title, `%${words.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`),
  )
  const rows = await call.db
    .select({ id: notifications.id, title: notifications.title, service: notifications.service })
    .from(notifications)
    .where(and(open, await visibleTo(call)))
    .orderBy(asc(notifications.sortAt), asc(notifications.id))
    .limit(maxFound)
  return rows.map(({ id, title, service }) => ({
    ...searchResult('task', title, `/actions#action-${id}`),
    id,
    detail: serviceNameOf(service),
  }))
}

/** None while identity is unavailable. */
async function findApps(call: SearchCall, words: string) {
  const source = await readSource(call).catch(() => null)
  const apps = source?.apps.filter(({ name }) => matchesQuery(words, name)) ?? []
  return apps.slice(0, maxFound).map(({ id, name, installed }) => ({
    ...searchResult('app', name, `/apps?q=${encodeURIComponent(name)}`),
    id,
    detail: installed ? 'Installed' : 'Available',
  }))
}

/** None for a role that is limited to part of the organization. */
async function findWorkflows({ db, actor }: FindCall, words: string) {
  if (actor.bindings.length > 0) return []
  const { items } = await listWorkflowRows({ db, actor }, { limit: maxWorkflows })
  return items
    .filter(({ name }) => matchesQuery(words, name))
    .slice(0, maxFound)
    .map(({ id, name, state }) => ({
      ...searchResult('workflow', name, `/settings/workflows/${id}`),
      id,
      detail: capitalize(state),
    }))
}
