import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { ShellPart } from '#lib/context.ts'
import type { ShellPlace } from '#views/shell/shell.ts'
import { brandHref, type BrandPage, BrandSwitcher, NewBrandDialog } from '#views/social/brands/brand-switcher.tsx'
import { countWaiting } from './review/feed.ts'
import { findCurrentBrand } from './brands/current.ts'

export async function shell(call: Call, actor: Actor): Promise<ShellPart> {
  const [{ brands, brand }, serviceId] = await Promise.all([
    findCurrentBrand(call, actor, {
      brandId: call.request.url.searchParams.get('brandId'),
      permissions: ['posts:read', 'accounts:read'],
    }),
    call.identity.serviceId('platform-socialize'),
  ])
  const has = (permission: string) => actor.permissions.has(`${serviceId}.${permission}`)
  const canRead = has('posts:read')
  const places: ShellPlace[] = []
  if (canRead && has('dashboard:read'))
    places.push({ label: 'Home', icon: 'sun', href: brandHref('/workspace', brand), isAlone: true })
  if (canRead) places.push({ label: 'Posts', icon: 'list', href: brandHref('/workspace/posts', brand) })
  if (has('calendar:read'))
    places.push({
      label: 'Calendar',
      icon: 'calendar',
      href: brandHref('/workspace/calendar', brand),
      also: '/workspace/queue',
    })
  if (canRead)
    places.push({
      label: 'Review',
      icon: 'badge-check',
      href: brandHref('/workspace/feed', brand),
      count: brand && has('posts:review') ? await countWaiting(call.db, actor, brand.id) : 0,
    })
  if (canRead) places.push({ label: 'Media', icon: 'image', href: brandHref('/workspace/media', brand) })
  if (has('accounts:read'))
    places.push({ label: 'Accounts', icon: 'plug', href: brandHref('/workspace/accounts', brand) })
  const can = { createBrand: has('brands:write') }
  return {
    switcher: (
      <BrandSwitcher brands={brands} brand={brand} can={can} canListPosts={canRead} page={pageOf(call, places)} />
    ),
    selected: brand?.name ?? null,
    dialogs: can.createBrand ? <NewBrandDialog /> : <></>,
    places,
    primary:
      has('posts:write') && brand
        ? { label: 'New post', icon: 'pen-line', href: brandHref('/workspace/posts/new', brand) }
        : null,
  }
}

/** What a page shows of any brand. */
const kept: Record<string, string[]> = { '/workspace/calendar': ['view', 'date'], '/workspace/queue': ['date'] }

/** The page of the navigation that is open, if one is: single posts and files are of one brand. */
function pageOf({ request: { url } }: Call, places: readonly ShellPlace[]): BrandPage | undefined {
  const path = url.pathname
  if (!places.some(({ href, also }) => href.split('?')[0] === path || also === path)) return undefined
  const query = (kept[path] ?? []).flatMap((name) => {
    const value = url.searchParams.get(name)
    return value ? [[name, value]] : []
  })
  return { path, query: Object.fromEntries(query) }
}
