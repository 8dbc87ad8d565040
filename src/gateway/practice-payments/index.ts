import type { Context } from '#lib/context.ts'
import { foldModules } from '#lib/module.ts'
import { practicePaymentEndpoints } from './endpoints.ts'
import * as practicePaymentsOperations from './practice-payments.operations.tsx'
import * as practicePaymentsPages from './practice-payments.pages.tsx'
import { startPracticePayments } from './start.ts'

/** A payment provider for development and tests, in the wire format of Stripe. */
export const practicePayments: Context = {
  slug: 'platform-gateway',
  group: 'gateway',
  webhooks: [],
  endpoints: practicePaymentEndpoints,
  start: startPracticePayments,
  ...foldModules([{ operations: [practicePaymentsOperations], pages: [practicePaymentsPages] }]),
}
