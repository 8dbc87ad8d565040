import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { PaymentAccount } from '../../contract/payments.ts'
import { accountIn, chooseCredential, currentAccountKey } from '../choose-credential.ts'
import { payerIn } from '../payer.ts'
import { paymentProblems } from '../problems.ts'
import { isTest } from '../run.ts'

export const getPaymentAccount = operation({
  route: 'GET /platform/payments/account',
  summary: 'Get whose payment account is used',
  permission: 'service',
  callers: ['platform-pay'],
  input: z.object({}),
  output: PaymentAccount,
  // The provider is asked which account a key is of.
  transaction: false,
  audit: false,
  limit: null,
  timeout: ({ config }) => 2 * config.PAYMENTS_TIMEOUT_MS + 5_000,
  problems: paymentProblems,
  run: async (call) => {
    const test = isTest(call)
    const { organizationId } = await payerIn(call, { evenSuspended: true })
    const credential = await chooseCredential(call, { organizationId, test }, accountIn(call.request.headers))
    const accountKey = await currentAccountKey(call, credential)
    const { level } = credential
    if (level === 'practice') return { provider: 'practice' as const, level, mode: 'test' as const, accountKey }
    return { provider: 'stripe' as const, level, mode: test ? ('test' as const) : ('live' as const), accountKey }
  },
})
