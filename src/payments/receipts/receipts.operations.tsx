import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { ReceiptCard } from '#views/payments/receipts/receipt.tsx'
import { Receipt, ReceiptToken } from '../contract/receipts.ts'
import { noReferrer } from '../http/no-referrer.ts'
import { readReceipt } from './receipt.ts'

export const getReceipt = operation({
  route: 'GET /api/pay/receipts/:token',
  summary: 'Get the receipt of a payment',
  permission: 'public',
  transaction: false,
  timeout: ({ config }) => 4 * config.PAYMENTS_TIMEOUT_MS + 10_000,
  input: z.object({ token: ReceiptToken }),
  output: Receipt,
  run: async (call) => reply(200, await readReceipt(call, call.input.token), { headers: noReferrer }),
  view: (receipt, { input }) => <ReceiptCard receipt={receipt} token={input.token} />,
})
