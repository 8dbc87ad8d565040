import { z } from 'zod'
import { PaymentDispute, PaymentDisputeList } from '../../contract/payments.ts'
import { createdRange, Email, listing, Metadata, ObjectId, Text } from '../fields.ts'
import { pageOf, pageParams } from '../lists.ts'
import { describeDispute } from '../objects/payments.ts'
import { paymentOperation } from '../operation.ts'
import { toParams } from '../params.ts'

const Line = Text(5_000).optional()
const Story = Text(20_000).optional()
const FileId = ObjectId.optional().describe('A file at the provider.')

const Evidence = z.object({
  accessActivityLog: Story,
  billingAddress: Line,
  cancellationPolicy: FileId,
  cancellationPolicyDisclosure: Story,
  cancellationRebuttal: Story,
  customerCommunication: FileId,
  customerEmailAddress: Email.optional(),
  customerName: Line,
  customerPurchaseIp: Line,
  customerSignature: FileId,
  duplicateChargeDocumentation: FileId,
  duplicateChargeExplanation: Story,
  duplicateChargeId: ObjectId.optional(),
  productDescription: Story,
  receipt: FileId,
  refundPolicy: FileId,
  refundPolicyDisclosure: Story,
  refundRefusalExplanation: Story,
  serviceDate: Line,
  serviceDocumentation: FileId,
  shippingAddress: Line,
  shippingCarrier: Line,
  shippingDate: Line,
  shippingDocumentation: FileId,
  shippingTrackingNumber: Line,
  uncategorizedFile: FileId,
  uncategorizedText: Story,
})

export const getProviderDispute = paymentOperation({
  route: 'GET /platform/payments/disputes/:id',
  summary: 'Get a dispute',
  object: 'dispute',
  input: z.object({ id: ObjectId }),
  output: PaymentDispute,
  send: async (stripe, { id }, options) => describeDispute(await stripe.disputes.retrieve(id, {}, options)),
})

export const listProviderDisputes = paymentOperation({
  route: 'GET /platform/payments/disputes',
  summary: 'List disputes',
  object: 'dispute',
  input: z.object({ ...listing, ...createdRange, paymentIntent: ObjectId.optional(), charge: ObjectId.optional() }),
  output: PaymentDisputeList,
  send: async (stripe, { limit, cursor, createdFrom, createdBefore, ...filter }, options) =>
    pageOf(
      await stripe.disputes.list(
        { ...pageParams({ limit, cursor, createdFrom, createdBefore }), ...toParams(filter) },
        options,
      ),
      describeDispute,
    ),
})

export const submitDisputeEvidence = paymentOperation({
  route: 'POST /platform/payments/disputes/:id/evidence',
  summary: 'Submit evidence for a dispute',
  object: 'dispute',
  input: z.object({
    id: ObjectId,
    evidence: Evidence,
    submit: z.boolean().default(false).describe('Sends it to the bank, which can be done once; false stores a draft.'),
    metadata: Metadata.optional(),
  }),
  output: PaymentDispute,
  send: async (stripe, { id, ...input }, options) =>
    describeDispute(await stripe.disputes.update(id, toParams(input), options)),
})

export const closeProviderDispute = paymentOperation({
  route: 'POST /platform/payments/disputes/:id/close',
  summary: 'Accept a dispute',
  object: 'dispute',
  input: z.object({ id: ObjectId }),
  output: PaymentDispute,
  send: async (stripe, { id }, options) => describeDispute(await stripe.disputes.close(id, {}, options)),
})
