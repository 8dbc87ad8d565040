import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { PracticeModelsBehaviorCard, PracticeModelRequests } from '#views/gateway/practice-models.tsx'
import { BehaviorChange, BehaviorScope, PracticeModelRequestList, PracticeModelsBehavior } from './contract.ts'
import { providerOf } from './state.ts'

const open = { permission: 'public', limit: null } as const

export const listPracticeModelRequests = operation({
  route: 'GET /dev/models/api/requests',
  summary: 'List requests that the practice models received',
  ...open,
  input: BehaviorScope.pick({ apiKey: true }),
  output: PracticeModelRequestList,
  run: async ({ db, input }) => ({ items: providerOf(db).received.list(input.apiKey) }),
  view: ({ items }) => <PracticeModelRequests items={items} />,
})

export const getPracticeModelsBehavior = operation({
  route: 'GET /dev/models/behavior',
  summary: 'Get the behavior of the practice models',
  ...open,
  input: BehaviorScope,
  output: PracticeModelsBehavior,
  run: ({ db, input }) => providerOf(db).behaviors.get(input),
  view: (behavior, { input }) => <PracticeModelsBehaviorCard behavior={behavior} scope={input} />,
})

export const updatePracticeModelsBehavior = operation({
  route: 'PUT /dev/models/behavior',
  summary: 'Update the behavior of the practice models',
  ...open,
  input: BehaviorChange,
  output: PracticeModelsBehavior,
  // The cache of behaviors must not be filled from a transaction.
  transaction: false,
  audit: false,
  run: async ({ db, input: { model, apiKey, ...behavior } }) => {
    const saved = await providerOf(db).behaviors.set({ model, apiKey }, behavior)
    return reply(200, saved, { next: '/dev/models', toast: 'Saved' })
  },
  view: (behavior, { input }) => <PracticeModelsBehaviorCard behavior={behavior} scope={input} />,
})
