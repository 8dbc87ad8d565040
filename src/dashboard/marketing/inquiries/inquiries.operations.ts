import { newId } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { countForm } from '../quota.ts'
import { MessageInput, MessageReceipt } from './contract.ts'
import { referenceOf, storeMessage } from './store.ts'

export const sendMessage = operation({
  route: 'POST /api/contact',
  summary: 'Send a message or feedback',
  permission: 'public',
  creates: true,
  problems: { too_many_messages: 429 },
  input: MessageInput,
  output: MessageReceipt,
  formPage: ({ kind }) => (kind === 'feedback' ? '/feedback' : '/contact'),
  run: async (call) => {
    const { input, db } = call
    await countForm(call, db, input.kind)
    // A program that filled in the hidden field doesn't learn that it was noticed.
    const id = input.website ? newId() : await storeMessage(db, call, input)
    const reference = referenceOf({ id, kind: input.kind })
    return reply(201, { reference }, { next: `/${input.kind}?sent=${reference}` })
  },
})
