import { isAllowed, serviceIdOf } from '#lib/authorize.ts'
import type { Context } from '#lib/context.ts'
import { Problem } from '#lib/errors.ts'
import { scopeOf } from '#lib/http/routes.ts'
import type { Page } from '#lib/page.ts'
import { matchesQuery, searchResult, type SearchResult, type NamedKind, type SearchCall } from '#lib/search.ts'
import type { IconName } from '#views/ui/icon.tsx'
import { presentedBy } from '#identity'
import { overviewPath } from '../shell/areas.ts'

export const commonKinds = [
  { name: 'page', title: 'Go to', icon: 'chevron-right' },
  { name: 'action', title: 'Actions', icon: 'chevron-right' },
] as const satisfies readonly NamedKind[]

/** `places`: pages and actions together, where other results were found too. */
const maxResults = { total: 20, places: 8 }

/** A page or action, with other words that it is found by. */
interface Place {
  result: SearchResult
  keywords: string
}

/** In the order of `kinds`. An empty query returns pages and actions only. @throws {Problem} 403 for a service */
export async function search(
  contexts: readonly Context[],
  kinds: readonly NamedKind[],
  call: SearchCall,
  query: string,
): Promise<SearchResult[]> {
  if (call.actor.service) throw new Problem(403, 'session_required', 'Only signed-in users can search.')
  const scope = scopeOf(call.hosts, call.request.url.hostname)
  const open = contexts.filter((context) => scope.isOpen(context))
  const [declared, own] = await Promise.all([listPagesAndActions(open, call), listOwnActions(call)])
  const { total } = maxResults
  if (query === '')
    return [...declared.slice(0, Math.max(0, total - own.length)), ...own].slice(-total).map(({ result }) => result)
  const commands = await Promise.all(open.map((context) => listCommands(context, call, query)))
  const places = [...declared, ...commands.flat(), ...own]
    .filter(({ result: { label, detail }, keywords }) => matchesQuery(query, `${label} ${detail ?? ''} ${keywords}`))
    .map(({ result }) => result)
    .toSorted((a, b) => Number(b.kind === 'action') - Number(a.kind === 'action'))
    .slice(0, maxResults.places)
  const found = (await Promise.all(open.map((context) => searchContext(context, call, query)))).flat()
  const byKind = kinds.map(({ name }) => found.filter(({ kind }) => kind === name))
  return [...places, ...takeEvenly(byKind, total - places.length)]
}

async function listCommands({ search: source }: Context, call: SearchCall, query: string): Promise<Place[]> {
  const commands = (await source?.commands?.list(call, query)) ?? []
  return commands.map(({ detail, ...command }) => {
    const { result, keywords } = requestResult(command.label, command.route, command.body, command.keywords)
    return { result: { ...result, detail }, keywords }
  })
}

/** @throws for a result of a kind that the context doesn't declare */
async function searchContext(
  { slug, search: source }: Context,
  call: SearchCall,
  query: string,
): Promise<SearchResult[]> {
  if (!source) return []
  const found = await source.find(call, query)
  const unknown = found.find(({ kind }) => !Object.hasOwn(source.kinds, kind))
  if (unknown)
    throw new Error(`The search source of ${slug} returned a result of an undeclared kind: "${unknown.kind}"`)
  return found
}

/** Takes at most `count` results, the same number of each kind as far as it has as many. */
function takeEvenly(kinds: SearchResult[][], count: number): SearchResult[] {
  const ranked = kinds.flatMap((results) => results.map((result, rank) => ({ result, rank })))
  const taken = new Set(ranked.toSorted((a, b) => a.rank - b.rank).slice(0, count))
  return ranked.filter((each) => taken.has(each)).map(({ result }) => result)
}

async function listPagesAndActions(contexts: readonly Context[], { actor, identity }: SearchCall): Promise<Place[]> {
  const open = contexts.map(async (context) => {
    const { pages, search: source } = context
    const serviceId = await serviceIdOf(context, identity.serviceId)
    return {
      pages: pages.filter((page) => isListed(page) && isAllowed(actor, page.permission, serviceId)),
      actions: (source?.actions ?? []).filter(({ permission }) => isAllowed(actor, permission, serviceId)),
    }
  })
  const all = await Promise.all(open)
  return [
    ...all
      .flatMap(({ pages }) => pages)
      .toSorted((a, b) => Number(isSecondary(a)) - Number(isSecondary(b)))
      .map(pageResult),
    ...all
      .flatMap(({ actions }) => actions)
      .map(({ label, href }) => ({ result: searchResult('action', label, href), keywords: '' })),
  ]
}

/** Listed after the other pages. The overview of the settings leads to theirs. */
const isSecondary = ({ frame, path }: Page): boolean =>
  (frame === 'settings' && path !== overviewPath) || frame === 'admin'

const isListed = ({ path, frame, title }: Page): boolean =>
  typeof title === 'string' &&
  path !== '/' &&
  frame !== 'door' &&
  frame !== 'steps' &&
  frame !== 'plain' &&
  frame !== 'site' &&
  frame !== 'checkout' &&
  !path.includes(':')

const pageResult = ({ path, frame, title, keywords = '' }: Page): Place => ({
  result: {
    ...searchResult(path.endsWith('/new') ? 'action' : 'page', typeof title === 'string' ? title : path, path),
    detail: frame === 'settings' ? 'Settings' : frame === 'admin' ? 'Administration' : null,
  },
  keywords,
})

const themes = { Light: 'sun', Dark: 'moon', System: 'monitor' } as const satisfies Record<string, IconName>
const signOut = 'Sign out'

async function listOwnActions({ actor, identity, request }: SearchCall): Promise<Place[]> {
  const { organizations } = await identity.me(presentedBy(request))
  const others = organizations.filter(({ id }) => id !== actor.organization?.id)
  return [
    ...others.map(({ id, name }) =>
      requestResult(`Switch to ${name}`, 'POST /api/auth/context', { organizationId: id }),
    ),
    ...(actor.organization
      ? [requestResult('Switch to Personal', 'POST /api/auth/context', { context: 'personal' })]
      : []),
    ...Object.keys(themes).map((name) =>
      requestResult(`${name} theme`, preferencesRoute, { theme: name.toLowerCase() }, 'mode appearance'),
    ),
    requestResult(signOut, 'POST /api/auth/logout', {}, 'logout log out'),
  ]
}

const requestResult = (label: string, route: string, body: Record<string, string>, keywords = ''): Place => ({
  result: { ...searchResult('action', label, null), sends: { route, body } },
  keywords,
})

const preferencesRoute = 'PUT /api/app-switcher/preferences'

/** By `href`, or by `label` or route where there is none. */
export const iconsOf = (contexts: readonly Context[]): ReadonlyMap<string, IconName> =>
  new Map([
    ...Object.entries(themes).map(([name, icon]) => [`${name} theme`, icon] as const),
    [signOut, 'log-out'],
    ...contexts.flatMap(({ pages, search: source }) => [
      ...pages.flatMap(({ path, icon, frame }) => {
        const ownIcon = icon ?? (frame === 'settings' ? ('settings' as const) : undefined)
        return ownIcon ? [[path, ownIcon] as const] : []
      }),
      ...(source?.actions ?? []).map(({ href, icon }) => [href, icon] as const),
      ...Object.entries(source?.commands?.icons ?? {}),
    ]),
  ])
