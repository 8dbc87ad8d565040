import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { cookieName } from '#lib/cookies.ts'
import { notFound } from '#lib/errors.ts'
import { reply, type Reply, type ReplyOptions } from '#lib/reply.ts'
import type { NoBrandProps } from '#views/social/brands/no-brand.tsx'
import { list, type BrandRow } from '../brands/brands.ts'
import { readPermissions } from '../access.ts'

interface CurrentBrand {
  brands: BrandRow[]
  brand: BrandRow | null
}

type PageCall = Pick<Call, 'db' | 'request' | 'context' | 'config'>

declare module '#lib/request/context.ts' {
  interface RequestContext {
    /** The brand of the page's content. The frame is drawn later, and shows the same one. */
    brandId?: string
  }
}

/** The brand of the page's content, else `brandId`, else the last one visited, else the first by name. */
export async function findCurrentBrand(
  { db, request, context, config }: PageCall,
  actor: Actor,
  brandId: string | null | undefined,
): Promise<CurrentBrand> {
  const brands = actor.organization ? await list(db, actor) : []
  const last = request.cookies.get(cookieName(cookie, isHttps(config)))
  const found = [context.brandId, brandId, last].map((id) => brands.find((brand) => brand.id === id)).find(Boolean)
  const brand = found ?? brands[0] ?? null
  return { brands: listForMenu(brands, brand), brand }
}

/** Brands in the menu. The others are in the list of all brands, and in search. */
const maxInMenu = 20

function listForMenu(brands: BrandRow[], current: BrandRow | null): BrandRow[] {
  const first = brands.slice(0, maxInMenu)
  return !current || first.some(({ id }) => id === current.id) ? first : [current, ...first.slice(1)]
}

/** @throws {Problem} 404 when the page's `brandId` is a brand that the actor doesn't reach */
export async function getRequestedBrand(call: PageCall, actor: Actor): Promise<BrandRow | null> {
  const named = call.request.url.searchParams.get('brandId')
  const { brand } = await findCurrentBrand(call, actor, named)
  if (named && named !== brand?.id) throw notFound('brand')
  return brand
}

/** Makes a brand the current one of this page's frame, and of later pages without `brandId`. */
export function rememberBrand({ context }: Pick<Call, 'context'>, brandId: string): ReplyOptions {
  context.brandId = brandId
  return { cookies: [{ name: cookie, value: brandId, maxAge: yearInSeconds }] }
}

const cookie = 'brand'
const yearInSeconds = 365 * 24 * 3600

const isHttps = ({ PUBLIC_URL }: PageCall['config']): boolean => PUBLIC_URL?.startsWith('https:') ?? false

export const replyWithoutBrand = async (
  call: Pick<Call<unknown, Actor>, 'identity' | 'actor'>,
): Promise<Reply<NoBrandProps>> => reply(200, { canCreateBrand: (await readPermissions(call))('brands:write') })
