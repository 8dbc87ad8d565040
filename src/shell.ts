import type { Actor } from '#lib/actor.ts'
import { isAllowed } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Shell } from '#views/shell/shell.ts'
import { presentedBy } from '#identity'
import { currentBrand } from '#social'
import { themeOf } from './theme.ts'

/** What the frame shows of the person, the organization and its brands. */
export async function shellOf(call: Call, actor: Actor): Promise<Shell> {
  const { identity, request } = call
  const [{ brands, brand }, socialId, me, apps] = await Promise.all([
    currentBrand(call, actor),
    identity.serviceId('platform-socialize'),
    identity.me(presentedBy(request)),
    identity.apps(presentedBy(request), actor.organization?.id ?? null),
  ])
  const may = (permission: string) => actor.permissions.has(`${socialId}.${permission}`)
  return {
    path: request.url.pathname,
    user: { id: me.user.id, name: me.user.name, role: actor.organization?.role ?? null },
    organization: me.organization?.name ?? null,
    organizationId: me.organization?.id ?? null,
    organizations: me.organizations,
    apps,
    theme: themeOf(request, call.config),
    brands,
    brand,
    may: {
      writePosts: may('posts:write'),
      readAccounts: may('accounts:read'),
      writeBrands: may('brands:write'),
      administer: isAllowed(actor, 'super-admin', ''),
    },
  }
}
