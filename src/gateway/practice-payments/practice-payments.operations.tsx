import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { PaymentObjects, PracticePaymentsBehaviorCard } from '#views/gateway/practice-payments/page.tsx'
import { getBehavior } from './behavior.ts'
import { changeBehavior } from './change-behavior.ts'
import {
  PaymentObjectFilter,
  PaymentObjectList,
  PaymentsBehaviorChange,
  PaymentsBehaviorScope,
  PracticePaymentsBehavior,
} from './contract.ts'
import { listPaymentObjects } from './objects.ts'
import { practiceOf } from './state.ts'
import { accountOfKey } from './wire/account.ts'

const open = { permission: 'public', limit: null } as const

const accountOf = (apiKey: string | undefined): string => (apiKey ? accountOfKey(apiKey) : '')

export const listPracticePaymentObjects = operation({
  route: 'GET /dev/payments/api/objects',
  summary: 'List objects of the practice payments',
  ...open,
  input: PaymentObjectFilter,
  output: PaymentObjectList,
  run: ({ db, input }) => listPaymentObjects(db, input),
  view: ({ items }) => <PaymentObjects items={items} />,
})

export const getPracticePaymentsBehavior = operation({
  route: 'GET /dev/payments/behavior',
  summary: 'Get the behavior of the practice payments',
  ...open,
  input: PaymentsBehaviorScope,
  output: PracticePaymentsBehavior,
  run: ({ db, input }) => getBehavior(db, accountOf(input.apiKey)),
  view: (behavior) => <PracticePaymentsBehaviorCard behavior={behavior} />,
})

export const updatePracticePaymentsBehavior = operation({
  route: 'PUT /dev/payments/behavior',
  summary: 'Update the behavior of the practice payments',
  ...open,
  input: PaymentsBehaviorChange,
  output: PracticePaymentsBehavior,
  // What was changed has to be committed when the dispatcher looks for it.
  transaction: false,
  audit: false,
  run: async ({ db, input: { apiKey, ...behavior } }) => {
    const saved = await changeBehavior(db, accountOf(apiKey), behavior)
    practiceOf(db).dispatcher.wake()
    return reply(200, saved, { next: '/dev/payments', toast: 'Saved' })
  },
  view: (behavior) => <PracticePaymentsBehaviorCard behavior={behavior} />,
})
