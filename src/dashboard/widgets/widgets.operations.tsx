import { operation } from '#lib/operation.ts'
import { WidgetCards } from '#views/dashboard/grid/widget-card.tsx'
import { LoadedWidgets, WidgetsRequest } from './contract.ts'
import { loadInstalled } from './load-installed.ts'

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
  run: async (call) => ({ items: await Promise.all(await loadInstalled(call, call.input)) }),
  view: ({ items }) => <WidgetCards items={items} />,
})
