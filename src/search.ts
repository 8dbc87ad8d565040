import { z } from 'zod'
import { isAllowed } from '#lib/authorize.ts'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { Context } from '#lib/context.ts'
import { Problem } from '#lib/errors.ts'
import { placeOf } from '#lib/http/hosts.ts'
import { Id } from '#lib/ids.ts'
import type { Page } from '#lib/page.ts'
import { presentedBy } from '#identity'
import { listBrands, searchPosts } from '#social'

/** Something that the command palette leads to. */
export const Found = z.object({
  kind: z.enum(['page', 'act', 'brand', 'person', 'post']),
  /** The thing's id; null for pages and acts. */
  id: Id.nullable(),
  label: z.string(),
  detail: z.string().nullable(),
  /** Where it is in the browser app; null for an act that is sent. */
  href: z.string().nullable(),
  /** What an act sends, in words of the API. */
  sends: z.object({ route: z.string(), body: z.record(z.string(), z.string()) }).nullable(),
})
export type Found = z.output<typeof Found>

/** How many are found at most of each kind, 20 together. */
const most = { going: 8, brands: 3, people: 3, posts: 5 }

type Asking = Call<unknown, Actor>

/**
 * What a person can open or do that has these words in it: pages and acts, brands, people of the organization, posts.
 * Only what they may see. Without words the pages and acts alone. Throws 403 for a service.
 */
export async function search(contexts: readonly Context[], call: Asking, words: string): Promise<Found[]> {
  const { actor, db, identity } = call
  if (actor.service) throw new Problem(403, 'session_needed', 'A service is nobody: only people search.')
  const socialId = await identity.serviceId('platform-socialize')
  const place = placeOf(call.hosts, call.request.url.hostname)
  const socialIsHere = place.isOpen({ slug: 'platform-socialize' })
  const mayRead = socialIsHere && actor.organization !== null && isAllowed(actor, 'posts:read', socialId)
  const mayWriteBrands = socialIsHere && isAllowed(actor, 'brands:write', socialId)
  const open = contexts.filter((context) => place.isOpen(context))
  const fitting = ({ label, detail }: Found) => fits(words, `${label} ${detail ?? ''}`)
  const going = [...(await places(open, call)), ...(await acts(call, mayWriteBrands))].filter(fitting)
  if (words === '') return going.slice(0, 20)
  const [brands, people, posts] = await Promise.all([
    mayRead ? listBrands(db, actor) : [],
    actor.organization ? identity.colleagues(presentedBy(call.request), actor.organization.id, words) : [],
    mayRead ? searchPosts(db, actor, words, most.posts) : [],
  ])
  const names = new Map(brands.map(({ id, name }) => [id, name]))
  return [
    ...going.slice(0, most.going),
    ...brands.map(brandFound).filter(fitting).slice(0, most.brands),
    ...people.slice(0, most.people).map(personFound),
    ...posts.map((post) => postFound(post, names.get(post.brandId) ?? '')),
    ...(mayRead
      ? [found('post', `Search posts for “${words}”`, `/workspace/posts?q=${encodeURIComponent(words)}`)]
      : []),
  ]
}

const found = (kind: Found['kind'], label: string, href: string | null): Found => ({
  kind,
  id: null,
  label,
  detail: null,
  href,
  sends: null,
})

const brandFound = ({ id, name, timeZone }: { id: string; name: string; timeZone: string }): Found => ({
  ...found('brand', name, `/workspace/posts?brandId=${id}`),
  id,
  detail: timeZone,
})

const personFound = ({ id, name, email }: { id: string; name: string; email: string }): Found => ({
  ...found('person', name, `/settings/members#member-${id}`),
  id,
  detail: email,
})

const postFound = (post: { id: string; text: string; status: string; brandId: string }, brand: string): Found => ({
  ...found('post', excerpt(post.text), `/workspace/posts/${post.id}?brandId=${post.brandId}`),
  id: post.id,
  detail: `${capitalized(post.status)} · ${brand}`,
})

/** Every page that can be opened without naming a thing, as the contexts declare them. */
async function places(contexts: readonly Context[], { actor, identity }: Asking): Promise<Found[]> {
  const open = contexts.map(async ({ slug, pages }) => {
    const serviceId = await identity.serviceId(slug)
    return pages.filter((page) => isPlace(page) && isAllowed(actor, page.permission, serviceId)).map(placeFound)
  })
  return (await Promise.all(open)).flat().sort((a, b) => Number(isAside(a)) - Number(isAside(b)))
}

/** Pages that stand behind those of the daily work. */
const isAside = ({ href }: Found): boolean => !href?.startsWith('/workspace/')

const isPlace = ({ path, frame, title }: Page): boolean =>
  typeof title === 'string' && path !== '/' && frame !== 'door' && !path.includes(':')

const placeFound = ({ path, frame, title }: Page): Found => ({
  ...found(path.endsWith('/new') ? 'act' : 'page', typeof title === 'string' ? title : path, path),
  detail: frame === 'settings' ? 'Settings' : frame === 'admin' ? 'Administration' : null,
})

/** What can be done from anywhere, beside the pages that are for making something. */
async function acts({ actor, identity, request }: Asking, mayWriteBrands: boolean): Promise<Found[]> {
  const { organizations } = await identity.me(presentedBy(request))
  const others = organizations.filter(({ id }) => id !== actor.organization?.id)
  return [
    ...(mayWriteBrands ? [found('act', 'New brand', '/workspace/brands#new-brand')] : []),
    ...others.map(({ id, name }) => act(`Switch to ${name}`, 'POST /api/auth/context', { organizationId: id })),
    ...(actor.organization ? [act('Switch to Personal', 'POST /api/auth/context', { context: 'personal' })] : []),
    ...['Light', 'Dark', 'System'].map((name) => act(`${name} theme`, preferences, { theme: name.toLowerCase() })),
    act('Sign out', 'POST /api/auth/logout', {}),
  ]
}

const preferences = 'PUT /api/app-switcher/preferences'

const act = (label: string, route: string, body: Record<string, string>): Found => ({
  ...found('act', label, null),
  sends: { route, body },
})

/** Whether every word asked for begins a word of the text, in any case and with or without accents. */
function fits(asked: string, text: string): boolean {
  const words = plain(text).split(/[^\p{L}\p{N}]+/u)
  return plain(asked)
    .split(/\s+/)
    .every((start) => words.some((word) => word.startsWith(start)))
}

const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

const excerpt = (text: string): string => [...text.replace(/\s+/g, ' ').trim()].slice(0, 80).join('')

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
