import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { ShellPart } from '#lib/context.ts'
import type { ShellPlace } from '#views/shell/shell.ts'
import { brandHref, BrandSwitcher, NewBrandDialog } from '#views/social/brands/brand-switcher.tsx'
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
    places.push({ label: 'Home', icon: 'sun', href: brandHref('/workspace', brand) })
  if (canRead) places.push({ label: 'Posts', icon: 'list', href: brandHref('/workspace/posts', brand) })
  if (has('calendar:read'))
    places.push({ label: 'Calendar', icon: 'calendar', href: brandHref('/workspace/calendar', brand) })
  if (canRead) places.push({ label: 'Media', icon: 'image', href: brandHref('/workspace/media', brand) })
  if (has('accounts:read'))
    places.push({ label: 'Accounts', icon: 'plug', href: brandHref('/workspace/accounts', brand) })
  const can = { createBrand: has('brands:write') }
  return {
    switcher: <BrandSwitcher brands={brands} brand={brand} can={can} canListPosts={canRead} />,
    selected: brand?.name ?? null,
    dialogs: can.createBrand ? <NewBrandDialog /> : <></>,
    places,
    primary:
      has('posts:write') && brand
        ? { label: 'New post', icon: 'pen-line', href: brandHref('/workspace/posts/new', brand) }
        : null,
  }
}
