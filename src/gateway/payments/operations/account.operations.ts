import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { attributionOf } from '../../ai/attribution.ts'
import { PaymentAccount } from '../../contract/payments.ts'
import { paymentCredential } from '../credential.ts'
import { paymentProblems } from '../problems.ts'
import { isTest } from '../run.ts'

export const getPaymentAccount = operation({
  route: 'GET /platform/payments/account',
  summary: 'Get whose payment account is used',
  permission: 'service',
  callers: ['platform-pay'],
  input: z.object({}),
  output: PaymentAccount,
  audit: false,
  limit: null,
  problems: paymentProblems,
  run: async (call) => {
    const test = isTest(call)
    const { organizationId } = await attributionOf(call)
    const { level } = await paymentCredential(call, { organizationId, test })
    if (level === 'practice') return { provider: 'practice' as const, level, mode: 'test' as const }
    return { provider: 'stripe' as const, level, mode: test ? ('test' as const) : ('live' as const) }
  },
})
