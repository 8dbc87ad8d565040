import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { Cursor } from '#lib/paginate.ts'
import { plainText } from '#lib/text.ts'
import { AdminAppView, type AdminAppProps } from '#views/identity/developer-console/reviews/admin-app.tsx'
import { AdminApps, type AdminAppsProps } from '#views/identity/developer-console/reviews/admin-apps.tsx'
import { AppAction } from '../actions/contract.ts'
import { actionsOf } from '../actions/actions.ts'
import { findAnyApp } from '../apps.ts'
import { AdminApp, AppReview, DeveloperApp } from '../contract.ts'
import { listSubmitted } from './queue.ts'
import { reviewsOf } from './reviews.ts'
import { readWorkspace } from '../workspace.ts'

const admin = { permission: 'super-admin', frame: 'admin', screen: 'developers' } as const

export const adminAppsPage = page({
  ...admin,
  path: '/admin/apps',
  title: 'Apps',
  query: z.object({
    q: plainText(100).trim().default('').catch(''),
    cursor: Cursor,
  }),
  load: async ({ db, input }): Promise<AdminAppsProps> => {
    const { items, nextCursor } = await listSubmitted(db, { ...input, limit: 50 })
    return { q: input.q, apps: AdminApp.array().parse(items), nextCursor }
  },
  view: (props) => <AdminApps {...props} />,
})

export const adminAppPage = page({
  ...admin,
  path: '/admin/apps/:id',
  title: ({ app }: AdminAppProps) => app.name,
  query: z.object({ id: Id }),
  load: async ({ db, input }): Promise<AdminAppProps> => {
    const app = DeveloperApp.parse(await findAnyApp(db, input.id))
    const [workspace, actions, reviews] = await Promise.all([
      readWorkspace(db, app.organizationId),
      actionsOf(db, app.id),
      reviewsOf(db, app.id),
    ])
    return { app, workspace, actions: AppAction.array().parse(actions), reviews: AppReview.array().parse(reviews) }
  },
  view: (props) => <AdminAppView {...props} />,
})
