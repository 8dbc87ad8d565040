import { z } from 'zod'
import { page } from '#lib/page.ts'
import { DashboardSettingsPage } from '#views/dashboard/settings/default-layout.tsx'
import { getDashboard } from '../grid/layout.operations.tsx'
import { getDashboardSettings } from './settings.operations.tsx'

export const dashboardSettingsPage = page({
  path: '/settings/dashboard',
  permission: 'settings:read',
  frame: 'settings',
  icon: 'layout-grid',
  title: 'Dashboard layout',
  summary: 'How members see the dashboard until they arrange it.',
  keywords: 'default widgets arrange members',
  query: z.object({}),
  load: async ({ ask }) => {
    const [settings, dashboard] = await Promise.all([ask(getDashboardSettings, {}), ask(getDashboard, {})])
    return { settings, dashboard }
  },
  view: (props) => <DashboardSettingsPage {...props} />,
})
