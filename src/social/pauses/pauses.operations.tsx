import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { isTarget } from '#lib/page.ts'
import { reply } from '#lib/reply.ts'
import { AccountView } from '#views/social/accounts/account.tsx'
import { getAccount } from '../accounts/accounts.operations.tsx'
import { listIntegrations } from '../accounts/integrations.operations.tsx'
import * as brands from '../brands/brands.ts'
import { PauseList, PauseScope } from '../contract.ts'
import { loadAccountPage } from '../http/account-page.ts'
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
    return reply(200, await listChanged(call), { ...nextOf(call), toast: 'Publishing paused' })
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
    return reply(200, await listChanged(call), { ...nextOf(call), toast: 'Publishing resumed' })
  },
  view: (_, call) => draw(call),
})

type ScopedCall = Call<PauseScope, Actor>

const listChanged = async ({ db, actor, input: { brandId } }: ScopedCall) => ({
  items: await listPauses(db, actor, brandId ? [brandId] : undefined),
})

/** The command palette is on every page: it leads to where the pause is shown. */
const nextOf = (call: ScopedCall) => {
  const { brandId } = call.input
  return {
    next: `/workspace/accounts${brandId ? `?brandId=${brandId}` : ''}`,
    leavesPage: !isTarget(call, 'accounts') && !isTarget(call, 'account'),
  }
}

/** On its own page the account, else the accounts of its brand. */
async function draw(call: ScopedCall): Promise<string> {
  const { brandId, connectionId: id } = call.input
  if (id && isTarget(call, 'account'))
    return <AccountView {...await loadAccountPage(call, await call.ask(getAccount, { id }))} />
  return drawChangedAccounts(call, await call.ask(listIntegrations, { brandId, brand: 'current' }))
}
