import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { ShellPart } from '#lib/context.ts'
import { brandHref, type ShellPlace } from '#views/shell/shell.ts'
import { currentBrand } from './http/current-brand.ts'

/** The brands, pages and main action of social in the frame around pages. */
export async function shell(call: Call, actor: Actor): Promise<ShellPart> {
  const [{ brands, brand }, serviceId] = await Promise.all([
    currentBrand(call, actor),
    call.identity.serviceId('platform-socialize'),
  ])
  const may = (permission: string) => actor.permissions.has(`${serviceId}.${permission}`)
  const mayRead = may('posts:read')
  const places: ShellPlace[] = []
  if (mayRead) places.push({ label: 'Posts', icon: 'list', href: brandHref('/workspace/posts', brand) })
  if (may('accounts:read'))
    places.push({ label: 'Accounts', icon: 'plug', href: brandHref('/workspace/accounts', brand) })
  return {
    brands: mayRead ? listed(brands, brand) : [],
    brand: mayRead ? brand : null,
    places,
    primary:
      may('posts:write') && brand
        ? { label: 'New post', icon: 'pen-line', href: brandHref('/workspace/posts/new', brand) }
        : null,
    may: { writeBrands: may('brands:write') },
  }
}

/** Brands in the menu. More are found in the list of all brands and in search. */
const mostInMenu = 20

/** The first brands, with the current one in any case. */
function listed<Brand extends { id: string }>(brands: readonly Brand[], current: Brand | null): Brand[] {
  const first = brands.slice(0, mostInMenu)
  return !current || first.some(({ id }) => id === current.id) ? first : [current, ...first.slice(1)]
}
