import { presentedBy, type App } from '#identity'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'

type AppsCall = Pick<Call<unknown, Actor>, 'config' | 'identity' | 'request' | 'actor' | 'widgets'>

export interface WidgetApp {
  id: string
  slug: string
  name: string
  description: string
  icon: string | null
  /** A path of this origin, or a URL. */
  href: string
  widgetUrl: string
  firstParty: boolean
}

/** The dashboard’s own widget shows the actions. */
const own = { slug: 'platform-dashboard-api', name: 'Actions', icon: 'inbox', href: '/actions' }

/** The installed apps that have a widget, by name. */
export async function listWidgetApps({ config, identity, request, actor, widgets }: AppsCall): Promise<WidgetApp[]> {
  const organizationId = organizationOf(actor, 'dashboard:read')
  const isKey = actor.tokenType === 'api_key'
  return widgets.listApps(`${isKey ? 'key' : 'person'} ${organizationId}`, async () => {
    const apps = isKey
      ? await identity.installedApps(organizationId)
      : await identity.apps(presentedBy(request), organizationId)
    return apps.flatMap((app) => describeApp(app, config.WIDGET_HOSTS.has(app.slug)))
  })
}

/** None for an app without a widget. */
function describeApp({ id, slug, name, description, icon, webUrl, widgetUrl, firstParty }: App, hasHost: boolean) {
  const url = widgetUrl ?? (hasHost ? '/api/widget' : null)
  if (url === null) return []
  const app = { id, name, description, icon, firstParty, href: webUrl, widgetUrl: url }
  return [{ ...app, ...(slug === own.slug && own), slug }]
}
