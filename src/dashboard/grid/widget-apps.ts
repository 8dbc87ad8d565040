import { presentedBy, type App } from '#identity'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'

type AppsCall = Pick<Call<unknown, Actor>, 'identity' | 'request' | 'actor'>

export interface WidgetApp {
  id: string
  slug: string
  name: string
  icon: string | null
  /** A path of this origin, or a URL. */
  href: string
  widgetUrl: string
  firstParty: boolean
}

/** The dashboard’s own widget shows the actions. */
const own = { slug: 'platform-dashboard-api', name: 'Actions', icon: 'inbox', href: '/actions' }

/** The installed apps that have a widget, by name. */
export async function listWidgetApps({ identity, request, actor }: AppsCall): Promise<WidgetApp[]> {
  const apps = await identity.apps(presentedBy(request), organizationOf(actor, 'dashboard:read'))
  return apps.flatMap(describeApp)
}

/** None for an app without a widget. */
const describeApp = ({ id, slug, name, icon, webUrl, widgetUrl, firstParty }: App): WidgetApp[] =>
  widgetUrl === null
    ? []
    : [{ id, name, icon, firstParty, href: webUrl, widgetUrl, ...(slug === own.slug && own), slug }]
