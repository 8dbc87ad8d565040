import { z } from 'zod'
import { redirectToOnboarding } from '../onboarding/onboarding.redirect.ts'
import { page } from '#lib/page.ts'
import { drawDashboard } from './draw-dashboard.tsx'

export const dashboardPage = page({
  path: '/dashboard',
  permission: 'dashboard:read',
  icon: 'layout-grid',
  screen: 'usage dashboard',
  title: 'Dashboard',
  query: z.object({}),
  load: async (call) => (await redirectToOnboarding(call)) ?? drawDashboard(call),
  view: (draw) => draw(),
})
