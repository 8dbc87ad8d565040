import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { Cursor } from '#lib/paginate.ts'
import { ignoreInvalid, plainText } from '#lib/text.ts'
import { adminPageSize } from '#views/ui/admin-search.tsx'
import { AdminAppView, type AdminAppProps } from '#views/identity/developer-console/reviews/admin-app.tsx'
import { AdminApps, type AdminAppsProps } from '#views/identity/developer-console/reviews/admin-apps.tsx'
import { DeveloperApp } from '../contract.ts'
import { getSubmittedApp, listSubmittedApps } from './reviews.operations.tsx'

const admin = { permission: 'super-admin', frame: 'admin', header: 'own', screen: 'admin' } as const

export const adminAppsPage = page({
  ...admin,
  path: '/admin/apps',
  icon: 'badge-check',
  title: 'App reviews',
  query: z.object({
    q: plainText(100).trim().default('').catch(''),
    status: ignoreInvalid(DeveloperApp.shape.status),
    cursor: Cursor,
  }),
  load: async ({ ask, input }): Promise<AdminAppsProps> => ({
    filter: input,
    list: await ask(listSubmittedApps, { ...input, limit: adminPageSize }),
  }),
  view: (props) => <AdminApps {...props} />,
})

export const adminAppPage = page({
  ...admin,
  path: '/admin/apps/:id',
  title: ({ app }: AdminAppProps) => app.name,
  query: z.object({ id: Id }),
  load: async ({ ask, input }): Promise<AdminAppProps> => ({ app: await ask(getSubmittedApp, input) }),
  view: (props) => <AdminAppView {...props} />,
})
