import { z } from 'zod'
import { page } from '#lib/page.ts'
import { reply } from '#lib/reply.ts'
import { ReceiptCard } from '#views/payments/receipts/receipt.tsx'
import { ReceiptToken } from '../contract/receipts.ts'
import { noReferrer } from '../http/no-referrer.ts'
import { getReceipt } from './receipts.operations.tsx'

export const receiptPage = page({
  path: '/pay/receipts/:token',
  permission: 'public',
  query: z.object({ token: ReceiptToken }),
  frame: 'door',
  screen: 'payments',
  title: 'Receipt',
  load: async ({ ask, input }) =>
    reply(200, { receipt: await ask(getReceipt, input), token: input.token }, { headers: noReferrer }),
  view: (props) => <ReceiptCard {...props} />,
})
