import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { firstBrandPath } from '#views/social/brands/first-brand-step.tsx'
import { Connection, Provider, TargetChoice } from '../../contract.ts'
import { connectChosen, describeChoice } from './choices.ts'
import { describeAll } from '../details.ts'

const Choice = z.string().min(1).max(100).describe('From the URL to which the network’s consent page led back.')
const Chosen = z
  .array(z.string().min(1).max(200), 'Choose at least one account.')
  .min(1, 'Choose at least one account.')
  .max(200, 'Choose at most 200 accounts.')

export const listTargets = operation({
  route: 'GET /api/integrations/:platform/targets',
  summary: 'List accounts that a consent can connect',
  permission: 'accounts:read',
  input: z.object({ platform: Provider, choice: Choice }),
  output: z.object({ choice: TargetChoice.nullable().describe('Null when it has expired or was already made.') }),
  run: async (call) => ({
    choice: await describeChoice(call, { provider: call.input.platform, choice: call.input.choice }),
  }),
})

export const connectTargets = operation({
  route: 'POST /api/integrations/:platform/targets',
  summary: 'Connect the chosen accounts of a consent',
  permission: 'accounts:write',
  input: z.object({ platform: Provider, choice: Choice, targets: Chosen }),
  output: z.object({ connections: z.array(Connection) }),
  creates: true,
  transaction: false,
  problems: { test_key_not_allowed: 403, choice_expired: 409 },
  run: async (call) => {
    const { platform, ...chosen } = call.input
    const { brandId, unsavedId, isOnboarding, accounts } = await connectChosen(call, { provider: platform, ...chosen })
    const query = new URLSearchParams({ brandId, ...(unsavedId && { unsaved: unsavedId }) })
    const next = isOnboarding ? firstBrandPath : `/workspace/${unsavedId ? 'posts/new' : 'accounts'}?${query}`
    const toast = accounts.length === 1 ? 'Account connected' : `${accounts.length} accounts connected`
    return reply(201, { connections: await describeAll(call, accounts) }, { next, leavesPage: true, toast })
  },
  view: () => <></>,
})
