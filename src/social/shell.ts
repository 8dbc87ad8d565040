import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { ShellPart } from '#lib/context.ts'
import { brandHref, type ShellPlace } from '#views/shell/shell.ts'
import { findCurrentBrand } from './http/current-brand.ts'

/** The brands, pages and main action of social in the frame around pages. */
export async function shell(call: Call, actor: Actor): Promise<ShellPart> {
  const [{ brands, brand }, serviceId] = await Promise.all([
    findCurrentBrand(call, actor, call.request.url.searchParams.get('brandId')),
    call.identity.serviceId('platform-socialize'),
  ])
  const may = (permission: string) => actor.permissions.has(`${serviceId}.${permission}`)
  const mayRead = may('posts:read')
  const places: ShellPlace[] = []
  if (mayRead) places.push({ label: 'Posts', icon: 'list', href: brandHref('/workspace/posts', brand) })
  if (may('accounts:read'))
    places.push({ label: 'Accounts', icon: 'plug', href: brandHref('/workspace/accounts', brand) })
  return {
    brands: mayRead ? brands : [],
    brand: mayRead ? brand : null,
    places,
    primary:
      may('posts:write') && brand
        ? { label: 'New post', icon: 'pen-line', href: brandHref('/workspace/posts/new', brand) }
        : null,
    may: { writeBrands: may('brands:write') },
  }
}
