import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { Shell } from '#views/shell/shell.ts'
import { presentedBy } from '#identity'
import { currentBrand } from '#social'

/** What the frame shows of the person, the organization and its brands. */
export async function shellOf(call: Call, actor: Actor): Promise<Shell> {
  const { identity, request } = call
  const [{ brands, brand }, socialId, me] = await Promise.all([
    currentBrand(call, actor),
    identity.serviceId('platform-socialize'),
    identity.me(presentedBy(request)),
  ])
  const may = (permission: string) => actor.permissions.has(`${socialId}.${permission}`)
  return {
    path: request.url.pathname,
    user: { name: me.user.name, role: actor.organization?.role ?? null },
    organization: me.organization?.name ?? null,
    brands,
    brand,
    may: {
      writePosts: may('posts:write'),
      readAccounts: may('accounts:read'),
      writeBrands: may('brands:write'),
    },
  }
}
