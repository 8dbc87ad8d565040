import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { listOf } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { AdminAppSections } from '#views/identity/developer-console/reviews/admin-app.tsx'
import { AdminAppTable } from '#views/identity/developer-console/reviews/admin-apps.tsx'
import { getAdminApp } from './admin-app.ts'
import { AdminApp, AdminAppDetail, AppSearch, DeveloperApp, Verdict } from '../contract.ts'
import { listSubmitted } from './queue.ts'
import { decide } from './reviews.ts'

export const reviewApp = operation({
  route: 'POST /api/admin/apps/:id/reviews',
  summary: 'Approve or reject a submitted app',
  permission: 'super-admin',
  input: Verdict,
  output: DeveloperApp,
  example: { decision: 'rejected', reason: 'The description doesn’t explain what the app does.' },
  problems: { not_submitted: 409 },
  run: async (call) => {
    const app = await decide(call, call.input)
    return reply(200, app, { next: '/admin/apps', toast: `${app.name} ${app.status}` })
  },
  view: async ({ id }, { ask }) => <AdminAppSections app={await ask(getSubmittedApp, { id })} />,
})

export const listSubmittedApps = operation({
  route: 'GET /api/admin/apps',
  summary: 'List apps of all developer organizations',
  permission: 'super-admin',
  input: AppSearch,
  output: listOf(AdminApp),
  run: ({ db, input }) => listSubmitted(db, input),
  view: (list, { input }) => <AdminAppTable list={list} filter={input} />,
})

export const getSubmittedApp = operation({
  route: 'GET /api/admin/apps/:id',
  summary: 'Get an app of any developer organization',
  permission: 'super-admin',
  input: z.object({ id: Id }),
  output: AdminAppDetail,
  run: ({ db, input }) => getAdminApp(db, input.id),
  view: (app) => <AdminAppSections app={app} />,
})
