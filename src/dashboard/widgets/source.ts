import type { Call } from '#lib/call.ts'
import { originOf } from '#lib/http/routes.ts'
import type { WidgetApp } from '../grid/widget-apps.ts'
import type { WidgetSource } from './read.ts'

declare module '#lib/call.ts' {
  interface Provided {
    /** The slugs of services that run in this process. */
    readonly servicesHere: ReadonlySet<string>
  }
}

/** Where an app's widget is: the operator's choice first, then this process, then the registry. */
export function sourceOf(
  { config, hosts, servicesHere, request }: Pick<Call, 'config' | 'hosts' | 'servicesHere' | 'request'>,
  { id, slug, name, firstParty, widgetUrl }: WidgetApp,
): WidgetSource {
  const override = config.WIDGET_HOSTS.get(slug)
  const here = override === undefined && servicesHere.has(slug)
  const base = override ?? (firstParty ? originOf(hosts, slug, config.PUBLIC_URL, request.url.origin) : undefined)
  const path = firstParty ? `/api/widget?app=${slug}` : '/api/widget'
  const own =
    base === undefined ? widgetUrl : new URL(override === undefined ? path : pathAt(widgetUrl, path), base).href
  return { id, slug, name, url: here ? null : own, isTrusted: override !== undefined || firstParty }
}

/** An override replaces the host: the path stays that of the registry. */
const pathAt = (widgetUrl: string, otherwise: string): string => {
  const url = URL.parse(widgetUrl, 'http://localhost')
  return url ? url.pathname + url.search : otherwise
}
