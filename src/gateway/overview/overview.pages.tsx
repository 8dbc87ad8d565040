import { z } from 'zod'
import { page } from '#lib/page.ts'
import { Overview } from '#views/gateway/overview.tsx'
import { getSpending } from './overview.operations.tsx'

export const overviewPage = page({
  path: '/gateway',
  permission: 'usage:read',
  query: z.object({}),
  title: 'Spend',
  icon: 'gauge',
  screen: 'usage',
  load: async (call) => {
    const [spending] = await Promise.all([call.ask(getSpending, {})])
    return { spending }
  },
  view: (props) => <Overview {...props} />,
})
