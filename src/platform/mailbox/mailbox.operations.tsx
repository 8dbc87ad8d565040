import { z } from 'zod'
import { notFound } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { KeptMailContent, KeptMailRows } from '#views/platform/mailbox.tsx'
import { KeptMailDetail, KeptMailList } from './contract.ts'

export const listKeptMails = operation({
  route: 'GET /dev/mailbox/api/mails',
  summary: 'List the newest 100 emails in the mailbox',
  permission: 'public',
  input: z.object({}),
  output: KeptMailList,
  run: async ({ db, mail }) => ({ items: await mail.kept(db), nextCursor: null }),
  view: ({ items }) => <KeptMailRows mails={items} />,
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
