import { z } from 'zod'
import { ObjectId } from './fields.ts'

/** Which credential is used, and the account that its key is of. The level is ours: no server can claim another one. */
export const PaymentAccountKey = z
  .string()
  .regex(/^(organization|platform|practice):acct_\w{1,60}(:test)?$/, 'Must be the accountKey of a payment account.')
  .describe('The level and the provider’s ID of the account; ends with `:test` for keys of its sandbox.')

export const PaymentAccount = z.object({
  provider: z.enum(['stripe', 'practice']),
  level: z
    .enum(['organization', 'platform', 'practice'])
    .describe('Whose credential is used: the organization’s own, the platform’s, or the practice provider’s.'),
  mode: z.enum(['live', 'test']),
  accountKey: PaymentAccountKey,
})

export const DeletedProviderObject = z.object({ id: ObjectId, deleted: z.boolean() })
