import { newId } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { countForm } from '../quota.ts'
import { MessageInput, MessageReceipt, WaitlistInput, WaitlistReceipt } from './contract.ts'
import { joinWaitlist, referenceOf, storeMessage } from './store.ts'

const visitors = { permission: 'public', creates: true, problems: { too_many_messages: 429 } } as const

export const sendMessage = operation({
  ...visitors,
  route: 'POST /api/contact',
  summary: 'Send a message or feedback',
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

export const createWaitlistEntry = operation({
  ...visitors,
  route: 'POST /api/waitlist',
  summary: 'Create a waitlist entry',
  input: WaitlistInput,
  output: WaitlistReceipt,
  formPage: () => '/waitlist',
  run: async (call) => {
    const { input, db } = call
    await countForm(call, db, 'waitlist')
    if (!input.website) await joinWaitlist(db, call, input)
    return reply(201, { email: input.email, topics: input.topics }, { next: '/waitlist?joined=true' })
  },
})
