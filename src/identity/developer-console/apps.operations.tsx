import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { AppSettings } from '#views/identity/developer-console/app-overview.tsx'
import { DeveloperAppTable } from '#views/identity/developer-console/apps.tsx'
import { ReviewHistory } from '#views/identity/developer-console/review-history.tsx'
import * as apps from './apps.ts'
import { AppReview, DeveloperApp, DeveloperAppDraft, DeveloperAppEdit } from './contract.ts'
import { actAsPerson, signedByConsole } from './keys/delegation.ts'
import { publishApp, unpublishApp } from './reviews/publication.ts'
import { reviewsOf, submitApp, withdrawFromReview } from './reviews/reviews.ts'

const one = z.object({ id: Id })
const commonProblems = { no_developer_access: 409, under_review: 409 } as const
const page = (id: string, tab = ''): string => `/developers/apps/${id}${tab && `?tab=${tab}`}`

export const listDeveloperApps = operation({
  ...signedByConsole,
  route: 'GET /api/developer-console/apps',
  summary: 'List apps',
  input: z.object(paging),
  output: listOf(DeveloperApp),
  run: async (call) => apps.listApps(await actAsPerson(call), call.input),
  view: (list) => (list.items.length > 0 ? <DeveloperAppTable list={list} /> : <></>),
})

export const createDeveloperApp = operation({
  ...signedByConsole,
  route: 'POST /api/developer-console/apps',
  summary: 'Create an app',
  input: DeveloperAppDraft,
  output: DeveloperApp,
  creates: true,
  example: { name: 'Order desk', description: 'Shows orders.', webUrl: 'https://orders.example' },
  problems: { ...commonProblems, slug_taken: 409 },
  run: async (call) => {
    const app = await apps.createApp(await actAsPerson(call), call.input)
    return reply(201, app, { next: page(app.id), toast: `${app.name} created as a draft` })
  },
})

export const getDeveloperApp = operation({
  ...signedByConsole,
  route: 'GET /api/developer-console/apps/:id',
  summary: 'Get an app',
  input: one,
  output: DeveloperApp,
  run: async (call) => apps.findApp(await actAsPerson(call), call.input.id),
  view: (app) => <AppSettings app={app} />,
})

export const updateDeveloperApp = operation({
  ...signedByConsole,
  route: 'PATCH /api/developer-console/apps/:id',
  summary: 'Update an app and return it to draft',
  input: DeveloperAppEdit,
  output: DeveloperApp,
  example: { description: 'Shows orders and their status.' },
  problems: commonProblems,
  run: async (call) => {
    const app = await apps.updateApp(await actAsPerson(call), call.input)
    return reply(200, app, { next: page(app.id), toast: 'App updated' })
  },
})

export const deleteDeveloperApp = operation({
  ...signedByConsole,
  route: 'DELETE /api/developer-console/apps/:id',
  summary: 'Delete an unpublished app',
  input: one,
  output: z.null(),
  problems: { ...commonProblems, app_published: 409 },
  run: async (call) => {
    await apps.deleteApp(await actAsPerson(call), call.input.id)
    return reply(204, null, { next: '/developers', toast: 'App deleted' })
  },
})

export const submitDeveloperApp = operation({
  ...signedByConsole,
  route: 'POST /api/developer-console/apps/:id/submission',
  summary: 'Submit an app for review',
  input: one,
  output: DeveloperApp,
  creates: true,
  problems: { ...commonProblems, nothing_to_review: 409 },
  run: async (call) => {
    const app = await submitApp(await actAsPerson(call), call.input.id)
    return reply(201, app, { next: page(app.id, 'review'), toast: `${app.name} submitted for review` })
  },
})

export const withdrawSubmission = operation({
  ...signedByConsole,
  route: 'DELETE /api/developer-console/apps/:id/submission',
  summary: 'Withdraw an app from review',
  input: one,
  output: DeveloperApp,
  problems: { not_submitted: 409 },
  run: async (call) => {
    const app = await withdrawFromReview(await actAsPerson(call), call.input.id)
    return reply(200, app, { next: page(app.id, 'review'), toast: 'Submission withdrawn' })
  },
})

export const listAppReviews = operation({
  ...signedByConsole,
  route: 'GET /api/developer-console/apps/:id/reviews',
  summary: 'List an app’s reviews',
  input: one,
  output: listOf(AppReview),
  run: async (call) => {
    const { id } = await apps.findApp(await actAsPerson(call), call.input.id)
    return { items: await reviewsOf(call.db, id), nextCursor: null }
  },
  view: ({ items }) => <ReviewHistory reviews={items} />,
})

export const publishDeveloperApp = operation({
  ...signedByConsole,
  route: 'POST /api/developer-console/apps/:id/publication',
  summary: 'Publish an approved app',
  input: one,
  output: DeveloperApp,
  creates: true,
  transaction: false,
  problems: {
    no_developer_access: 409,
    not_approved: 409,
    slug_taken: 409,
    scope_in_use: 409,
    action_name_taken: 409,
    undeclared_permission: 422,
  },
  run: async (call) => {
    const app = await publishApp(await actAsPerson(call), call.input.id)
    return reply(201, app, { next: page(app.id), toast: `${app.name} published` })
  },
})

export const withdrawPublication = operation({
  ...signedByConsole,
  route: 'DELETE /api/developer-console/apps/:id/publication',
  summary: 'Unpublish an app',
  input: one,
  output: DeveloperApp,
  transaction: false,
  problems: { no_developer_access: 409, not_published: 409 },
  run: async (call) => {
    const app = await unpublishApp(await actAsPerson(call), call.input.id)
    return reply(200, app, { next: page(app.id), toast: `${app.name} unpublished` })
  },
})
