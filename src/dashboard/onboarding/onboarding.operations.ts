import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { Catalog } from '../catalog/contract.ts'
import { chooseApps as choose } from './choose-apps.ts'
import { AppSelection } from './contract.ts'

export const chooseApps = operation({
  route: 'POST /api/onboarding/apps',
  summary: 'Set the apps of a new organization',
  permission: 'role:owner',
  input: AppSelection,
  output: Catalog,
  transaction: false,
  problems: { entitlement_exceeded: 402, onboarding_completed: 409 },
  run: async (call) => reply(200, await choose(call), { next: '/onboarding' }),
})
