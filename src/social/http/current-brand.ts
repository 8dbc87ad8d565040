import type { Call } from '#lib/call.ts'
import { notFound } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { reply, type Reply, type ReplyOptions } from '#lib/reply.ts'
import type { NoBrandProps } from '#views/social/brands/no-brand.tsx'
import { getCurrentBrand } from '../brands/brands.operations.tsx'
import { brandCookie, type CurrentBrand } from '../contract.ts'

/**
 * The current brand of a page that needs this permission.
 * @throws {Problem} 404 when the page's `brandId` is a brand in which the caller doesn't have it
 */
export function askCurrentBrand(
  { ask, request }: Pick<Call, 'ask' | 'request'>,
  permission: 'posts:read' | 'posts:write' | 'calendar:read' | 'dashboard:read',
): Promise<CurrentBrand> {
  return ask(getCurrentBrand, { brandId: brandIdOf(request), permission })
}

/** The brand that a page's URL names, if it names one. @throws {Problem} 404 when it can't be a brand */
export function brandIdOf({ url }: Call['request']): string | undefined {
  const named = url.searchParams.get('brandId')
  if (named && !Id.safeParse(named).success) throw notFound('brand')
  return named || undefined
}

/** Makes a brand the current one of this page's frame, and of later pages without `brandId`. */
export function rememberBrand({ context }: Pick<Call, 'context'>, brandId: string): ReplyOptions {
  context.brandId = brandId
  return { cookies: [{ name: brandCookie, value: brandId, maxAge: yearInSeconds }] }
}

const yearInSeconds = 365 * 24 * 3600

/** The response of pages while there is no brand for them. */
export const replyWithoutBrand = ({ can }: Pick<CurrentBrand, 'can'>): Reply<NoBrandProps> =>
  reply(200, { canCreateBrand: can.createBrand })
