import { isAllowed } from '#lib/authorize.ts'
import type { Context } from '#lib/context.ts'
import { Problem } from '#lib/errors.ts'
import { placeOf } from '#lib/http/hosts.ts'
import type { Page } from '#lib/page.ts'
import { actionResult, fits, found, type Found, type SearchCall } from '#lib/search.ts'
import { presentedBy } from '#identity'

/** Limits of results: in all, of pages and actions, and of people. */
const most = { inAll: 20, going: 8, people: 3 }
const order: Found['kind'][] = ['page', 'act', 'brand', 'person', 'post']

/**
 * Searches pages, actions, the organization's people, and the contexts for these words, among what the person can see.
 * Without words returns only pages and actions. Throws 403 for a service.
 */
export async function search(contexts: readonly Context[], call: SearchCall, words: string): Promise<Found[]> {
  const { actor, identity } = call
  if (actor.service) throw new Problem(403, 'session_needed', 'Only people can search.')
  const place = placeOf(call.hosts, call.request.url.hostname)
  const open = contexts.filter((context) => place.isOpen(context))
  const sources = open.flatMap((context) => (context.search ? [context.search] : []))
  const actions = (await Promise.all(sources.map((source) => source.actions(call)))).flat()
  const [leading, own] = [[...(await places(open, call)), ...actions], await ownActions(call)]
  if (words === '') return [...leading.slice(0, Math.max(0, most.inAll - own.length)), ...own].slice(-most.inAll)
  const going = [...leading, ...own].filter(({ label, detail }) => fits(words, `${label} ${detail ?? ''}`))
  const people = actor.organization
    ? await identity.colleagues(presentedBy(call.request), actor.organization.id, words)
    : []
  const things = await Promise.all(sources.map((source) => source.find(call, words)))
  const rank = ({ kind }: Found) => order.indexOf(kind)
  return [
    ...going.slice(0, most.going),
    ...[...people.slice(0, most.people).map(personFound), ...things.flat()].toSorted((a, b) => rank(a) - rank(b)),
  ].slice(0, most.inAll)
}

const personFound = ({ id, name, email }: { id: string; name: string; email: string }): Found => ({
  ...found('person', name, `/settings/members#member-${id}`),
  id,
  detail: email,
})

/** Every page that can be opened without naming a thing, as the contexts declare them. */
async function places(contexts: readonly Context[], { actor, identity }: SearchCall): Promise<Found[]> {
  const open = contexts.map(async ({ slug, pages }) => {
    const serviceId = await identity.serviceId(slug)
    return pages.filter((page) => isPlace(page) && isAllowed(actor, page.permission, serviceId)).map(placeFound)
  })
  return (await Promise.all(open)).flat().sort((a, b) => Number(isAside(a)) - Number(isAside(b)))
}

/** Pages that are listed after those of the daily work. */
const isAside = ({ href }: Found): boolean => !href?.startsWith('/workspace/')

const isPlace = ({ path, frame, title }: Page): boolean =>
  typeof title === 'string' && path !== '/' && frame !== 'door' && frame !== 'plain' && !path.includes(':')

const placeFound = ({ path, frame, title }: Page): Found => ({
  ...found(path.endsWith('/new') ? 'act' : 'page', typeof title === 'string' ? title : path, path),
  detail: frame === 'settings' ? 'Settings' : frame === 'admin' ? 'Administration' : null,
})

/** Actions on the person's own session, available everywhere. */
async function ownActions({ actor, identity, request }: SearchCall): Promise<Found[]> {
  const { organizations } = await identity.me(presentedBy(request))
  const others = organizations.filter(({ id }) => id !== actor.organization?.id)
  return [
    ...others.map(({ id, name }) =>
      actionResult(`Switch to ${name}`, 'POST /api/auth/context', { organizationId: id }),
    ),
    ...(actor.organization
      ? [actionResult('Switch to Personal', 'POST /api/auth/context', { context: 'personal' })]
      : []),
    ...['Light', 'Dark', 'System'].map((name) =>
      actionResult(`${name} theme`, preferences, { theme: name.toLowerCase() }),
    ),
    actionResult('Sign out', 'POST /api/auth/logout', {}),
  ]
}

const preferences = 'PUT /api/app-switcher/preferences'
