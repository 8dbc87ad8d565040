import type { Actor } from '#lib/actor.ts'
import { isAllowed } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { ShellPart } from '#lib/context.ts'
import type { Shell } from '#views/shell/shell.ts'
import { identitySlug, launchAddressOf, presentedBy, type App, type Preferences } from '#identity'

export async function personShell(call: Call, actor: Actor): Promise<ShellPart> {
  const { identity, request } = call
  const [me, apps, preferences] = await Promise.all([
    identity.me(presentedBy(request)),
    identity.apps(presentedBy(request), actor.organization?.id ?? null),
    identity.preferences(presentedBy(request)),
  ])
  return {
    user: { id: me.user.id, name: me.user.name, role: actor.organization?.role ?? null },
    organization: me.organization?.name ?? null,
    organizationId: me.organization?.id ?? null,
    organizationLogo: me.organization?.logoUrl ?? null,
    organizations: me.organizations,
    // Its pages are the settings, which every app leads to.
    apps: sortFavoritesFirst(apps, preferences)
      .filter(({ slug }) => slug !== identitySlug)
      .map((app) => launchOf(call, app)),
    hiddenApps: preferences.hidden,
    tileSize: preferences.tileSize,
    canAdminister: isAllowed(actor, 'super-admin', ''),
  }
}

function sortFavoritesFirst(apps: App[], { favorites }: Preferences): App[] {
  const place = ({ id }: App) => (favorites.includes(id) ? favorites.indexOf(id) : favorites.length)
  return apps.toSorted((one, other) => place(one) - place(other))
}

const launchOf = (call: Call, app: App): Shell['apps'][number] => ({
  id: app.id,
  name: app.name,
  icon: app.icon,
  ...launchAddressOf(call, app),
})
