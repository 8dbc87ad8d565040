import { z } from 'zod'
import { redirectToOnboarding } from '../onboarding/onboarding.redirect.ts'
import { page } from '#lib/page.ts'
import { Grid } from '#views/dashboard/grid/grid.tsx'
import { getDashboard } from './layout.operations.tsx'

/** Only the frames of the widgets: each loads its content itself, so that none waits for another. */
export const dashboardPage = page({
  path: '/dashboard',
  permission: 'dashboard:read',
  icon: 'layout-grid',
  screen: 'usage dashboard',
  title: 'Dashboard',
  query: z.object({}),
  load: async (call) => (await redirectToOnboarding(call)) ?? call.ask(getDashboard, {}),
  view: (dashboard) => <Grid {...dashboard} />,
})
