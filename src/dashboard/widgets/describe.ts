import { widgetText, type WidgetPayload } from '#lib/widget.ts'
import type { LoadedWidget } from './contract.ts'
import type { Loaded } from './loader.ts'

interface ShownApp {
  slug: string
  name: string
  description: string
  icon: string | null
  /** A path of this origin, or a URL. */
  href: string
  firstParty: boolean
}

export function describeWidget(app: ShownApp, loaded: Loaded, at: Date): LoadedWidget {
  const { slug, name, icon, href } = app
  const { state, error } = loaded
  const isOverview = state === 'overview'
  return {
    app: slug,
    name,
    icon,
    href,
    state,
    payload: isOverview ? overviewOf(app, at) : linkTo(app, loaded.payload),
    fetchedAt: (isOverview ? at : new Date(loaded.fetchedAt)).toISOString(),
    error: error && { code: error.code, detail: error.message },
  }
}

/** What the registry says of an app. */
const overviewOf = ({ slug, name, description, href }: ShownApp, at: Date): WidgetPayload => ({
  app: { slug, name },
  title: name,
  generatedAt: at.toISOString(),
  metrics: [],
  items: description ? [{ id: slug, title: widgetText(description), subtitle: '', at: null, status: '', href }] : [],
  series: [],
  actions: [{ label: 'Open', method: 'GET', href }],
})

/** Paths are the app's. Apps of others can only offer links: a request from here would be made to this product. */
function linkTo({ href, firstParty }: ShownApp, payload: WidgetPayload): WidgetPayload {
  const isHere = firstParty && href.startsWith('/')
  const resolve = (path: string) => (isHere ? path : (URL.parse(path, href)?.href ?? href))
  const linked = <Part extends { href: string }>(parts: Part[]) =>
    parts.map((part) => ({ ...part, href: resolve(part.href) }))
  return {
    ...payload,
    metrics: linked(payload.metrics),
    items: linked(payload.items).map(({ actions, ...item }) => (isHere && actions ? { ...item, actions } : item)),
    actions: linked(payload.actions).filter(({ method }) => firstParty || method === 'GET'),
  }
}
