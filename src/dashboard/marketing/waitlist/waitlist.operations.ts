import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { noReferrer } from '../../http/no-referrer.ts'
import { WaitlistEntry, WaitlistInput, WaitlistLink, WaitlistReceipt } from '../inquiries/contract.ts'
import { countForm } from '../quota.ts'
import { confirmEntry, deleteEntry, findEntry, joinWaitlist } from './entries.ts'

export const createWaitlistEntry = operation({
  route: 'POST /api/waitlist',
  summary: 'Create a waitlist entry',
  permission: 'public',
  creates: true,
  problems: { too_many_messages: 429 },
  input: WaitlistInput,
  output: WaitlistReceipt,
  formPage: () => '/waitlist',
  run: async (call) => {
    const { input, db } = call
    await countForm(call, db, 'waitlist')
    if (!input.website) await joinWaitlist(call)
    return reply(201, { email: input.email, topics: input.topics }, { next: '/waitlist?joined=true' })
  },
})

const byLink = {
  permission: 'public',
  headers: noReferrer,
  input: WaitlistLink,
  problems: { not_found: 404 },
} as const

export const getWaitlistEntry = operation({
  ...byLink,
  route: 'GET /api/waitlist/:token',
  summary: 'Get a waitlist entry',
  output: WaitlistEntry,
  run: (call) => findEntry(call),
})

export const confirmWaitlistEntry = operation({
  ...byLink,
  route: 'POST /api/waitlist/:token/confirm',
  summary: 'Confirm the address of a waitlist entry',
  output: WaitlistEntry,
  run: async (call) => {
    await confirmEntry(call)
    return reply(200, await findEntry(call), { next: `/waitlist/entries/${call.input.token}` })
  },
})

export const deleteWaitlistEntry = operation({
  ...byLink,
  route: 'DELETE /api/waitlist/:token',
  summary: 'Delete a waitlist entry',
  output: z.null(),
  run: async (call) => {
    await deleteEntry(call)
    return reply(204, null, { next: '/waitlist?left=true' })
  },
})
