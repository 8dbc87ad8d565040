import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { isAllowed } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { forbidden } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { listOf } from '../contract.ts'
import { AdminApp, AppSearch, DeveloperApp, Verdict } from './contract.ts'
import { anyApp } from './apps.ts'
import { inPerson, onBehalf } from './delegation.ts'
import { listSubmitted } from './queue.ts'
import { decide } from './reviews.ts'

async function asSuperAdmin<Input>(call: Call<Input, Actor>): Promise<Call<Input, Actor>> {
  const own = await inPerson(call)
  if (!isAllowed(own.actor, 'super-admin', '')) throw forbidden('super-admin')
  return own
}

const verdict = {
  input: Verdict,
  output: DeveloperApp,
  example: { decision: 'rejected', reason: 'The description says nothing of what it does.' },
  problems: { not_submitted: 409 },
  run: async (call: Call<Verdict, Actor>) => {
    const app = await decide(await asSuperAdmin(call), call.input)
    return reply(200, app, { next: '/admin/apps', toast: `${app.name} is ${app.status}` })
  },
} as const

export const reviewDeveloperApp = operation({
  ...verdict,
  route: 'POST /api/developer-console/apps/:id/reviews',
  summary: 'Approve or reject a submitted app, for a super admin',
  permission: 'service',
  signed: onBehalf,
})

export const decideOnApp = operation({
  ...verdict,
  route: 'POST /api/admin/apps/:id/reviews',
  summary: 'Approve or reject a submitted app',
  permission: 'super-admin',
})

export const listSubmittedApps = operation({
  route: 'GET /api/admin/apps',
  summary: 'Apps of all developer workspaces, those that wait for a review first',
  permission: 'super-admin',
  input: AppSearch,
  output: listOf(AdminApp),
  run: ({ db, input }) => listSubmitted(db, input),
})

export const inspectDeveloperApp = operation({
  route: 'GET /api/admin/apps/:id',
  summary: 'An app of any developer workspace',
  permission: 'super-admin',
  input: z.object({ id: Id }),
  output: DeveloperApp,
  run: ({ db, input }) => anyApp(db, input.id),
})
