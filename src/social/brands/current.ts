import type { Actor, ServicePermission } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { cookieName } from '#lib/cookies.ts'
import type { WithLogoUrl } from '#lib/images/logo.ts'
import { readPermissions } from '../access.ts'
import { brandCookie } from '../contract.ts'
import { list, type BrandRow } from './brands.ts'
import { withLogoUrl } from './logo/logo-url.ts'

type PageCall = Pick<Call, 'db' | 'request' | 'context' | 'config' | 'identity'>

declare module '#lib/request/context.ts' {
  interface RequestContext {
    /** The brand of the page's content. The frame is drawn later, and shows the same one. */
    brandId?: string
  }
}

type ListedBrand = WithLogoUrl<BrandRow>

interface CurrentBrand {
  /** The first brands by name, and the current one. */
  brands: ListedBrand[]
  brand: ListedBrand | null
}

/**
 * Finds the brand of a page: the one of its content, else `brandId`, else the last one visited, else the first by name.
 * Only brands count in which the actor has one of the permissions.
 */
export async function findCurrentBrand(
  { db, request, context, config, identity }: PageCall,
  actor: Actor,
  { brandId, permissions }: { brandId?: string | null; permissions: readonly ServicePermission[] },
): Promise<CurrentBrand> {
  const [reached, check] = await Promise.all([
    actor.organization ? list(db, actor) : [],
    readPermissions({ identity, actor }),
  ])
  const brands = reached
    .filter(({ id }) => permissions.some((permission) => check(permission, id)))
    // Their image is refused without the permission.
    .map((brand) => withLogoUrl(check('posts:read', brand.id) ? brand : { ...brand, logoSha256: null }))
  const last = request.cookies.get(cookieName(brandCookie, isHttps(config)))
  const found = [context.brandId, brandId, last].map((id) => brands.find((brand) => brand.id === id)).find(Boolean)
  const brand = found ?? brands[0] ?? null
  return { brands: listForMenu(brands, brand), brand }
}

/** Brands in the menu. The others are in the list of all brands, and in search. */
const maxInMenu = 20

function listForMenu(brands: ListedBrand[], current: ListedBrand | null): ListedBrand[] {
  const first = brands.slice(0, maxInMenu)
  return !current || first.some(({ id }) => id === current.id) ? first : [current, ...first.slice(1)]
}

const isHttps = ({ PUBLIC_URL }: PageCall['config']): boolean => PUBLIC_URL?.startsWith('https:') ?? false
