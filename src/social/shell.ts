import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { ShellPart } from '#lib/context.ts'
import { currentBrand } from './brands/current-brand.ts'

/** The brands in the frame around pages. */
export async function shell(call: Call, actor: Actor): Promise<ShellPart> {
  const [{ brands, brand }, serviceId] = await Promise.all([
    currentBrand(call, actor),
    call.identity.serviceId('platform-socialize'),
  ])
  const may = (permission: string) => actor.permissions.has(`${serviceId}.${permission}`)
  return {
    brands,
    brand,
    may: {
      openPosts: may('posts:read'),
      writePosts: may('posts:write'),
      readAccounts: may('accounts:read'),
      writeBrands: may('brands:write'),
    },
  }
}
