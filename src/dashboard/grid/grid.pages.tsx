import { z } from 'zod'
import { redirectToOnboarding } from '../onboarding/onboarding.redirect.ts'
import { page } from '#lib/page.ts'
import { Grid } from '#views/dashboard/grid/grid.tsx'
import { getDashboard } from './layout.operations.tsx'
import { readEarly } from './read-early.ts'

/** Widgets that aren’t there at once load themselves, so that none waits for another. */
export const dashboardPage = page({
  path: '/dashboard',
  permission: 'dashboard:read',
  icon: 'layout-grid',
  screen: 'usage dashboard',
  title: 'Dashboard',
  query: z.object({}),
  load: async (call) => {
    const onboarding = await redirectToOnboarding(call)
    if (onboarding) return onboarding
    const dashboard = await call.ask(getDashboard, {})
    return { ...dashboard, loaded: await readEarly(call, dashboard) }
  },
  view: (dashboard) => <Grid {...dashboard} />,
})
