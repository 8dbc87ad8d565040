import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { ShellPart } from '#lib/context.ts'
import { brandHref, type ShellPlace } from '#views/shell/shell.ts'
import { currentBrand } from './brands/current-brand.ts'

/** The brands, pages and main action of social in the frame around pages. */
export async function shell(call: Call, actor: Actor): Promise<ShellPart> {
  const [{ brands, brand }, serviceId] = await Promise.all([
    currentBrand(call, actor),
    call.identity.serviceId('platform-socialize'),
  ])
  const may = (permission: string) => actor.permissions.has(`${serviceId}.${permission}`)
  const places: ShellPlace[] = []
  if (may('posts:read')) places.push({ label: 'Posts', icon: 'list', href: brandHref('/workspace/posts', brand) })
  if (may('accounts:read'))
    places.push({ label: 'Accounts', icon: 'plug', href: brandHref('/workspace/accounts', brand) })
  return {
    brands,
    brand,
    places,
    primary:
      may('posts:write') && brand
        ? { label: 'New post', icon: 'pen-line', href: brandHref('/workspace/posts/new', brand) }
        : null,
    may: { writeBrands: may('brands:write') },
  }
}
