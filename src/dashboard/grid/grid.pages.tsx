import { z } from 'zod'
import { page } from '#lib/page.ts'
import { Grid } from '#views/dashboard/grid/grid.tsx'
import { layoutOwnerOf, readLayout } from './layout.ts'
import { readWidgetTopics } from './topics.ts'
import { listWidgetApps } from './widget-apps.ts'

/** Only the frames of the widgets: each loads its content itself, so that none waits for another. */
export const dashboardPage = page({
  path: '/dashboard',
  permission: 'dashboard:read',
  icon: 'layout-grid',
  screen: 'usage dashboard',
  title: 'Dashboard',
  query: z.object({}),
  load: async (call) => {
    const apps = await listWidgetApps(call)
    const slugs = apps.map(({ slug }) => slug)
    const [{ widgets, version }, topics] = await Promise.all([
      readLayout(call.db, layoutOwnerOf(call.actor), slugs),
      readWidgetTopics(call, slugs),
    ])
    return {
      widgets: widgets.flatMap((widget) => {
        const app = apps.find(({ slug }) => slug === widget.app)
        return app ? [{ ...app, ...widget, topics: topics.get(widget.app) ?? [] }] : []
      }),
      version,
    }
  },
  view: (props) => <Grid {...props} />,
})
