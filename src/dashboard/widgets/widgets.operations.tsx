import { presentedBy } from '#identity'
import { operation } from '#lib/operation.ts'
import { WidgetCards } from '#views/dashboard/grid/widget-card.tsx'
import { listWidgetApps } from '../grid/widget-apps.ts'
import { LoadedWidgets, WidgetsRequest } from './contract.ts'
import { describeWidget } from './describe.ts'
import { budget } from './loader.ts'
import { loadOwnWidget, ownSlug } from './own.ts'
import { sourceOf } from './source.ts'

export const loadWidgets = operation({
  route: 'POST /api/widgets',
  summary: 'Get the widgets of installed apps',
  permission: 'widgets:read',
  // It changes nothing.
  limit: 'reads',
  audit: false,
  transaction: false,
  input: WidgetsRequest,
  output: LoadedWidgets,
  example: { apps: ['platform-socialize'] },
  run: async (call) => {
    const { actor, input, request, widgets, now } = call
    const began = performance.now()
    const installed = await listWidgetApps(call)
    const wanted = input.apps
      ? [...new Set(input.apps)].flatMap((slug) => installed.filter((app) => app.slug === slug))
      : installed
    const viewer = { presented: presentedBy(request), actor }
    const waitMs = Math.max(0, budget - (performance.now() - began))
    const load = (app: (typeof wanted)[number]) =>
      app.slug === ownSlug
        ? loadOwnWidget(call)
        : widgets.load(viewer, sourceOf(call, app), { changed: input.changed, waitMs })
    const items = wanted.map(async (app) => describeWidget(app, await load(app), now()))
    return { items: await Promise.all(items) }
  },
  view: ({ items }) => <WidgetCards items={items} />,
})
