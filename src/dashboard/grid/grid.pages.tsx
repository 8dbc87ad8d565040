import { z } from 'zod'
import { page } from '#lib/page.ts'
import { Grid } from '#views/dashboard/grid/grid.tsx'

export const dashboardPage = page({
  path: '/dashboard',
  permission: 'dashboard:read',
  icon: 'layout-grid',
  title: 'Dashboard',
  query: z.object({}),
  load: async () => ({}),
  view: () => <Grid />,
})
