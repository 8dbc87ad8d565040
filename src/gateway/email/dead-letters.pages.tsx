import { z } from 'zod'
import { page } from '#lib/page.ts'
import { Cursor } from '#lib/paginate.ts'
import { DeadLettersPage } from '#views/gateway/mail/dead-letters.tsx'
import { listDeadLetters } from './dead-letters.operations.tsx'

const pageSize = 25

export const deadLettersPage = page({
  path: '/gateway/dead-letters',
  permission: 'usage:read',
  screen: 'settings mailbox gateway-mail',
  icon: 'mail-x',
  title: 'Dead letters',
  query: z.object({ cursor: Cursor }),
  load: ({ ask, input }) => ask(listDeadLetters, { ...input, limit: pageSize }),
  view: (list) => <DeadLettersPage list={list} />,
})
