import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { KeptMailPage, Mailbox } from '#views/platform/mailbox.tsx'
import { getKeptMail, listKeptMails } from './mailbox.operations.tsx'

const shared = { permission: 'public', frame: 'plain', screen: 'mailbox' } as const

const mailboxPage = page({
  ...shared,
  path: '/dev/mailbox',
  title: 'Mailbox',
  query: z.object({}),
  load: ({ ask }) => ask(listKeptMails, {}),
  view: ({ items }) => <Mailbox mails={items} />,
})

const keptMailPage = page({
  ...shared,
  path: '/dev/mailbox/:id',
  title: ({ subject }: { subject: string }) => subject,
  query: z.object({ id: Id }),
  load: ({ ask, input }) => ask(getKeptMail, input),
  view: (mail) => <KeptMailPage mail={mail} />,
})

export const mailboxPages = [mailboxPage, keptMailPage]
