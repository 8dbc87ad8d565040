import { isAllowed, serviceIdOf } from '#lib/authorize.ts'
import type { Context } from '#lib/context.ts'
import { Problem } from '#lib/errors.ts'
import { scopeOf } from '#lib/http/hosts.ts'
import type { Page } from '#lib/page.ts'
import { matchesQuery, searchResult, type SearchResult, type NamedKind, type SearchCall } from '#lib/search.ts'
import type { IconName } from '#views/ui/icon.tsx'
import { presentedBy } from '#identity'

/** Kinds of results that belong to no context. */
export const commonKinds = [
  { name: 'page', title: 'Go to', icon: 'chevron-right' },
  { name: 'action', title: 'Actions', icon: 'chevron-right' },
] as const satisfies readonly NamedKind[]

/** Limits of results: in all, and of pages and actions together. */
const most = { inAll: 20, going: 8 }

/**
 * Searches pages and actions, and the things of the contexts in the order of `kinds`, for these words, among what the person can see.
 * Without words returns only pages and actions. Throws 403 for a service.
 */
export async function search(
  contexts: readonly Context[],
  kinds: readonly NamedKind[],
  call: SearchCall,
  words: string,
): Promise<SearchResult[]> {
  if (call.actor.service) throw new Problem(403, 'session_required', 'Only signed-in users can search.')
  const place = scopeOf(call.hosts, call.request.url.hostname)
  const open = contexts.filter((context) => place.isOpen(context))
  const [leading, own] = await Promise.all([placesAndActions(open, call), ownActions(call)])
  if (words === '') return [...leading.slice(0, Math.max(0, most.inAll - own.length)), ...own].slice(-most.inAll)
  const going = [...leading, ...own]
    .filter(({ label, detail }) => matchesQuery(words, `${label} ${detail ?? ''}`))
    .slice(0, most.going)
  const things = (await Promise.all(open.map((context) => thingsOf(context, call, words)))).flat()
  const byKind = kinds.map(({ name }) => things.filter(({ kind }) => kind === name))
  return [...going, ...shareOut(byKind, most.inAll - going.length)]
}

/** What a context found. Throws for a result of a kind that it doesn't declare. */
async function thingsOf({ slug, search: source }: Context, call: SearchCall, words: string): Promise<SearchResult[]> {
  if (!source) return []
  const things = await source.find(call, words)
  const unknown = things.find(({ kind }) => !Object.hasOwn(source.kinds, kind))
  if (unknown)
    throw new Error(`The search of ${slug} found a result of the kind "${unknown.kind}", which it doesn’t declare`)
  return things
}

/** At most so many results. When there are more, each kind gets the same number of them, as far as it has as many. */
function shareOut(kinds: SearchResult[][], room: number): SearchResult[] {
  const ranked = kinds.flatMap((things) => things.map((thing, rank) => ({ thing, rank })))
  const kept = new Set(ranked.toSorted((a, b) => a.rank - b.rank).slice(0, room))
  return ranked.filter((each) => kept.has(each)).map(({ thing }) => thing)
}

/** Every page that can be opened without naming a thing, and then the other actions, as the contexts declare them. */
async function placesAndActions(
  contexts: readonly Context[],
  { actor, identity }: SearchCall,
): Promise<SearchResult[]> {
  const open = contexts.map(async (context) => {
    const { pages, search: source } = context
    const serviceId = await serviceIdOf(context, identity.serviceId)
    return {
      pages: pages.filter((page) => isPlace(page) && isAllowed(actor, page.permission, serviceId)),
      actions: (source?.actions ?? []).filter(({ permission }) => isAllowed(actor, permission, serviceId)),
    }
  })
  const all = await Promise.all(open)
  return [
    ...all
      .flatMap(({ pages }) => pages)
      .toSorted((a, b) => Number(isAside(a)) - Number(isAside(b)))
      .map(placeFound),
    ...all.flatMap(({ actions }) => actions).map(({ label, href }) => searchResult('action', label, href)),
  ]
}

/** Pages that are listed after those of the daily work. */
const isAside = ({ frame }: Page): boolean => frame === 'settings' || frame === 'admin'

const isPlace = ({ path, frame, title }: Page): boolean =>
  typeof title === 'string' && path !== '/' && frame !== 'door' && frame !== 'plain' && !path.includes(':')

const placeFound = ({ path, frame, title }: Page): SearchResult => ({
  ...searchResult(path.endsWith('/new') ? 'action' : 'page', typeof title === 'string' ? title : path, path),
  detail: frame === 'settings' ? 'Settings' : frame === 'admin' ? 'Administration' : null,
})

const themes = { Light: 'sun', Dark: 'moon', System: 'monitor' } as const satisfies Record<string, IconName>
const signOut = 'Sign out'

/** Actions on the person's own session, available everywhere. */
async function ownActions({ actor, identity, request }: SearchCall): Promise<SearchResult[]> {
  const { organizations } = await identity.me(presentedBy(request))
  const others = organizations.filter(({ id }) => id !== actor.organization?.id)
  return [
    ...others.map(({ id, name }) => sending(`Switch to ${name}`, 'POST /api/auth/context', { organizationId: id })),
    ...(actor.organization ? [sending('Switch to Personal', 'POST /api/auth/context', { context: 'personal' })] : []),
    ...Object.keys(themes).map((name) => sending(`${name} theme`, preferences, { theme: name.toLowerCase() })),
    sending(signOut, 'POST /api/auth/logout', {}),
  ]
}

/** An action that sends a request when it is chosen. */
const sending = (label: string, route: string, body: Record<string, string>): SearchResult => ({
  ...searchResult('action', label, null),
  sends: { route, body },
})

const preferences = 'PUT /api/app-switcher/preferences'

/** The icons of pages and actions that have one of their own, by `href`, or by `label` where there is none. */
export const iconsOf = (contexts: readonly Context[]): ReadonlyMap<string, IconName> =>
  new Map([
    ...Object.entries(themes).map(([name, icon]) => [`${name} theme`, icon] as const),
    [signOut, 'log-out'],
    ...contexts.flatMap(({ pages, search: source }) => [
      ...pages.flatMap(({ path, icon, frame }) => {
        const drawn = icon ?? (frame === 'settings' ? ('settings' as const) : undefined)
        return drawn ? [[path, drawn] as const] : []
      }),
      ...(source?.actions ?? []).map(({ href, icon }) => [href, icon] as const),
    ]),
  ])
