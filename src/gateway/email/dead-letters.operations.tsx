import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { paging } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { DeadLetters } from '#views/gateway/mail/dead-letters.tsx'
import { DeadLetterList } from '../contract/email.ts'
import * as letters from './dead-letters.ts'

const next = '/gateway/dead-letters'

export const listDeadLetters = operation({
  route: 'GET /api/dead-letters',
  summary: 'List emails that failed in all attempts',
  permission: 'usage:read',
  input: z.object({ ...paging }),
  output: DeadLetterList,
  run: (call) => letters.listDeadLetters(call),
  view: (list) => <DeadLetters list={list} />,
})

const showAll = {
  output: z.null(),
  view: async (_: unknown, { ask }: Pick<Call, 'ask'>) => <DeadLetters list={await ask(listDeadLetters, {})} />,
} as const

export const retryDeadLetter = operation({
  route: 'POST /api/dead-letters/:id/retry',
  summary: 'Retry a failed email',
  permission: 'org:admin',
  input: z.object({ id: Id }),
  problems: { address_suppressed: 409, content_deleted: 409, email_in_progress: 409 },
  run: async (call) => {
    await letters.retryLetter(call)
    return reply(204, null, { next, toast: 'Email queued again' })
  },
  ...showAll,
})

export const discardDeadLetter = operation({
  route: 'DELETE /api/dead-letters/:id',
  summary: 'Discard a failed email',
  permission: 'org:admin',
  input: z.object({ id: Id }),
  run: async (call) => {
    await letters.discardLetter(call)
    return reply(204, null, { next, toast: 'Email discarded' })
  },
  ...showAll,
})
