import type { PaymentsCall } from '../wire/call.ts'
import { nothing, route } from '../wire/route.ts'
import { fundsOf } from './funds.ts'

async function balanceOf(call: PaymentsCall) {
  const found = await fundsOf(call)
  const funds = found.length > 0 ? found : [{ currency: 'usd', amount: 0 }]
  return {
    object: 'balance' as const,
    available: funds.map(({ currency, amount }) => ({ amount, currency, source_types: { card: amount } })),
    livemode: false,
    pending: funds.map(({ currency }) => ({ amount: 0, currency, source_types: { card: 0 } })),
  }
}

export const balanceRoutes = [route('GET', '/v1/balance', nothing, balanceOf)]
