import { z } from 'zod'
import { organizationOf } from '#lib/authorize.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { Dispute, DisputeEvidence } from '../contract/payments.ts'
import { describeDispute } from '../orders/describe.ts'
import { providerProblems } from '../provider-problems.ts'
import { acceptDispute, findDispute, submitEvidence } from './answer-dispute.ts'

export const getDispute = operation({
  route: 'GET /api/disputes/:id',
  summary: 'Get a dispute',
  permission: 'payments:read',
  machine: true,
  input: z.object({ id: Id }),
  output: Dispute,
  run: async ({ db, actor, input }) =>
    describeDispute(await findDispute(db, organizationOf(actor, 'payments:read'), input.id)),
})

export const acceptPaymentDispute = operation({
  route: 'POST /api/disputes/:id/accept',
  summary: 'Accept a dispute',
  permission: 'transactions:write',
  machine: true,
  transaction: false,
  timeout: ({ config }) => 4 * config.PAYMENTS_TIMEOUT_MS + 10_000,
  input: z.object({ id: Id }),
  output: Dispute,
  problems: { ...providerProblems, dispute_state: 409 },
  run: async (call) => {
    const dispute = await acceptDispute(call, call.input.id)
    return reply(200, describeDispute(dispute), { next: `/pay/orders/${dispute.orderId}`, toast: 'Dispute accepted' })
  },
})

export const submitPaymentEvidence = operation({
  route: 'POST /api/disputes/:id/evidence',
  summary: 'Submit evidence for a dispute',
  permission: 'transactions:write',
  machine: true,
  transaction: false,
  timeout: ({ config }) => 4 * config.PAYMENTS_TIMEOUT_MS + 10_000,
  input: DisputeEvidence,
  output: Dispute,
  example: { explanation: 'The customer picked the order up on 12 May and signed for it.' },
  problems: { ...providerProblems, dispute_state: 409 },
  run: async (call) => {
    const { id, explanation } = call.input
    const dispute = await submitEvidence(call, id, explanation)
    return reply(200, describeDispute(dispute), { next: `/pay/orders/${dispute.orderId}`, toast: 'Evidence sent' })
  },
})
