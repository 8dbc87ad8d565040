import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { notFound } from '#lib/errors.ts'
import type { ReplyOptions } from '#lib/reply.ts'
import { cookieName } from '#lib/cookies.ts'
import { list, type BrandRow } from './brands.ts'

export interface CurrentBrand {
  /** Every brand that the actor reaches, by name. */
  brands: BrandRow[]
  /** The brand whose posts and accounts are shown; null while there is none. */
  brand: BrandRow | null
}

type Asked = Pick<Call, 'db' | 'request' | 'context' | 'config'>

declare module '#lib/request-context.ts' {
  interface RequestContext {
    /** The brand that a page turned out to be about: its frame is drawn later, for the same one. */
    brandId?: string
  }
}

/** The brand that a page is about: the one its content or its address names, else the one looked at last, else the first. */
export async function currentBrand({ db, request, context, config }: Asked, actor: Actor): Promise<CurrentBrand> {
  const brands = actor.organization ? await list(db, actor) : []
  const last = request.cookies.get(cookieName(cookie, isHttps(config)))
  const wanted = [context.brandId, request.url.searchParams.get('brandId'), last]
  const found = wanted.map((id) => brands.find((brand) => brand.id === id)).find(Boolean)
  return { brands, brand: found ?? brands[0] ?? null }
}

/** The same for a page's own content. Throws 404 when the address names a brand that the actor doesn't reach. */
export async function requestedBrand(asked: Asked, actor: Actor): Promise<BrandRow | null> {
  const { brand } = await currentBrand(asked, actor)
  const named = asked.request.url.searchParams.get('brandId')
  if (named && named !== brand?.id) throw notFound('brand')
  return brand
}

/** Makes a brand the one that this page's frame, and later pages without `brandId`, are about. */
export function remembered({ context }: Pick<Call, 'context'>, brandId: string): ReplyOptions {
  context.brandId = brandId
  return { cookies: [{ name: cookie, value: brandId, maxAge: yearInSeconds }] }
}

const cookie = 'brand'
const yearInSeconds = 365 * 24 * 3600

const isHttps = ({ PUBLIC_URL }: Asked['config']): boolean => PUBLIC_URL?.startsWith('https:') ?? false
