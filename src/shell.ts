import type { Actor } from '#lib/actor.ts'
import { isAllowed } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { originOf, placeOf } from '#lib/http/hosts.ts'
import type { Shell } from '#views/shell/shell.ts'
import { callbackPath, presentedBy, type App, type Preferences } from '#identity'
import { currentBrand } from '#social'
import { themeOf } from './theme.ts'

/** What the frame shows of the person, the organization and its brands. */
export async function shellOf(call: Call, actor: Actor): Promise<Shell> {
  const { identity, request } = call
  const [{ brands, brand }, socialId, me, apps, preferences] = await Promise.all([
    currentBrand(call, actor),
    identity.serviceId('platform-socialize'),
    identity.me(presentedBy(request)),
    identity.apps(presentedBy(request), actor.organization?.id ?? null),
    identity.preferences(presentedBy(request)),
  ])
  // A host without social leads there by the app switcher alone.
  const here = placeOf(call.hosts, request.url.hostname).isOpen({ slug: 'platform-socialize' })
  const may = (permission: string) => here && actor.permissions.has(`${socialId}.${permission}`)
  return {
    path: request.url.pathname,
    user: { id: me.user.id, name: me.user.name, role: actor.organization?.role ?? null },
    organization: me.organization?.name ?? null,
    organizationId: me.organization?.id ?? null,
    organizations: me.organizations,
    apps: arranged(apps, preferences).map((app) => launchOf(call, app)),
    hiddenApps: preferences.hidden,
    tileSize: preferences.tileSize,
    theme: themeOf(request, call.config),
    brands: here ? brands : [],
    brand: here ? brand : null,
    may: {
      openPosts: may('posts:read'),
      writePosts: may('posts:write'),
      readAccounts: may('accounts:read'),
      writeBrands: may('brands:write'),
      administer: isAllowed(actor, 'super-admin', ''),
    },
  }
}

/** A person's favorites first, in their order. */
function arranged(apps: App[], { favorites }: Preferences): App[] {
  const place = ({ id }: App) => (favorites.includes(id) ? favorites.indexOf(id) : favorites.length)
  return apps.toSorted((one, other) => place(one) - place(other))
}

/** An app with where it is for browsers, and where a hand-off to it arrives. */
function launchOf({ hosts, config, request }: Call, app: App): Shell['apps'][number] {
  const { id, slug, name, icon, webUrl, firstParty, handoffUri } = app
  if (!firstParty) return { id, name, icon, webUrl, href: webUrl, redirectUri: handoffUri }
  // The registry was asked from within this server, which has no host of its own.
  const origin = originOf(hosts, slug, config.PUBLIC_URL, request.url.origin)
  const { pathname, search } = new URL(webUrl, origin)
  const path = pathname + search
  return { id, name, icon, webUrl: path, href: origin + path, redirectUri: origin + callbackPath }
}
