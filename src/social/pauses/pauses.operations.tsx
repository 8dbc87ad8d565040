import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { listIntegrations } from '../accounts/integrations.operations.tsx'
import * as brands from '../brands/brands.ts'
import { PauseList, PauseScope } from '../contract.ts'
import { drawChangedAccounts } from '../http/changed-accounts.tsx'
import { listPauses } from './find.ts'
import { pause, resume } from './pauses.ts'

export const listPublishingPauses = operation({
  route: 'GET /api/publishing/pauses',
  summary: 'List publishing pauses',
  permission: 'accounts:read',
  machine: true,
  input: z.object({ brandId: Id.optional() }),
  output: PauseList,
  run: async ({ db, actor, input: { brandId } }) => {
    if (brandId) await brands.get(db, actor, brandId)
    return { items: await listPauses(db, actor, brandId ? [brandId] : undefined) }
  },
})

export const pausePublishing = operation({
  route: 'POST /api/publishing/pause',
  summary: 'Pause publishing',
  permission: 'accounts:write',
  machine: true,
  input: PauseScope,
  output: PauseList,
  problems: { test_key_not_allowed: 403 },
  run: async (call) => {
    await pause(call, call.input)
    return reply(200, await listChanged(call), { ...nextOf(call.input), toast: 'Publishing paused' })
  },
  view: (_, call) => draw(call),
})

export const resumePublishing = operation({
  route: 'POST /api/publishing/resume',
  summary: 'Resume publishing',
  permission: 'accounts:write',
  machine: true,
  input: PauseScope,
  output: PauseList,
  problems: { test_key_not_allowed: 403 },
  run: async (call) => {
    await resume(call, call.input)
    return reply(200, await listChanged(call), { ...nextOf(call.input), toast: 'Publishing resumed' })
  },
  view: (_, call) => draw(call),
})

type ScopedCall = Call<PauseScope, Actor>

const listChanged = async ({ db, actor, input: { brandId } }: ScopedCall) => ({
  items: await listPauses(db, actor, brandId ? [brandId] : undefined),
})

const nextOf = ({ brandId }: PauseScope) => ({ next: `/workspace/accounts${brandId ? `?brandId=${brandId}` : ''}` })

const draw = async (call: ScopedCall) =>
  drawChangedAccounts(call, await call.ask(listIntegrations, { brandId: call.input.brandId, brand: 'current' }))
