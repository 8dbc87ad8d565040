import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { cookieName } from '#lib/cookies.ts'
import { notFound } from '#lib/errors.ts'
import { reply, type Reply, type ReplyOptions } from '#lib/reply.ts'
import type { NoBrandProps } from '#views/social/no-brand.tsx'
import { list, type BrandRow } from '../brands/brands.ts'
import { may } from '../may.ts'

export interface CurrentBrand {
  /** Every brand that the actor reaches, by name. */
  brands: BrandRow[]
  /** The brand whose posts and accounts are shown; null while there is none. */
  brand: BrandRow | null
}

type PageCall = Pick<Call, 'db' | 'request' | 'context' | 'config'>

declare module '#lib/request-context.ts' {
  interface RequestContext {
    /** The brand of the page's content. The frame is drawn later, and shows the same one. */
    brandId?: string
  }
}

/** The brand of a page: the one of its content or its `brandId`, else the last one visited, else the first. */
export async function currentBrand({ db, request, context, config }: PageCall, actor: Actor): Promise<CurrentBrand> {
  const brands = actor.organization ? await list(db, actor) : []
  const last = request.cookies.get(cookieName(cookie, isHttps(config)))
  const candidates = [context.brandId, request.url.searchParams.get('brandId'), last]
  const found = candidates.map((id) => brands.find((brand) => brand.id === id)).find(Boolean)
  return { brands, brand: found ?? brands[0] ?? null }
}

/**
 * The same for a page's content; null while the actor reaches no brand.
 * @throws {Problem} 404 when `brandId` is a brand that the actor doesn't reach
 */
export async function requestedBrand(call: PageCall, actor: Actor): Promise<BrandRow | null> {
  const { brand } = await currentBrand(call, actor)
  const named = call.request.url.searchParams.get('brandId')
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

/** What a page shows while the actor reaches no brand. */
export const replyWithoutBrand = async (
  call: Pick<Call<unknown, Actor>, 'identity' | 'actor'>,
): Promise<Reply<NoBrandProps>> => reply(200, { canCreateBrand: await may(call, 'brands:write') })
