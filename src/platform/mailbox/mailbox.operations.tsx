import { z } from 'zod'
import { notFound } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { KeptMailContent, KeptMailRows } from '#views/platform/mailbox.tsx'
import { KeptMailDetail, KeptMailFilter, KeptMailList } from './contract.ts'

export const listKeptMails = operation({
  route: 'GET /dev/mailbox/api/mails',
  summary: 'List the newest 100 emails in the mailbox',
  permission: 'public',
  input: KeptMailFilter,
  output: KeptMailList,
  run: async ({ db, mail, input }) => ({ items: await mail.kept(db, input.q), nextCursor: null }),
  view: ({ items }, { input }) => <KeptMailRows mails={items} q={input.q} />,
})

export const deleteKeptMails = operation({
  route: 'DELETE /dev/mailbox/api/mails',
  summary: 'Delete emails from the mailbox',
  permission: 'public',
  input: KeptMailFilter,
  output: z.null(),
  run: async ({ db, mail, input }) => {
    await mail.deleteKept(db, input.q)
    return reply(204, null, { next: '/dev/mailbox', toast: 'Emails deleted' })
  },
})

export const getKeptMail = operation({
  route: 'GET /dev/mailbox/api/mails/:id',
  summary: 'Get an email from the mailbox',
  permission: 'public',
  input: z.object({ id: Id }),
  output: KeptMailDetail,
  run: async ({ db, mail, input }) => {
    const kept = await mail.open(db, input.id)
    if (!kept) throw notFound('email')
    return kept
  },
  view: (mail) => <KeptMailContent mail={mail} />,
})
