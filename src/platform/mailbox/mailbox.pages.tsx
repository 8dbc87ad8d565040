import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { KeptMailPage, Mailbox } from '#views/platform/mailbox.tsx'
import { KeptMailFilter, type KeptMailDetail } from './contract.ts'
import { getKeptMail, listKeptMails } from './mailbox.operations.tsx'

const shared = { permission: 'public', frame: 'plain', screen: 'settings mailbox' } as const

const mailboxPage = page({
  ...shared,
  path: '/dev/mailbox',
  title: 'Mailbox',
  query: KeptMailFilter,
  load: async ({ ask, input }) => ({ ...(await ask(listKeptMails, input)), q: input.q }),
  view: ({ items, q }) => <Mailbox mails={items} q={q} />,
})

const keptMailPage = page({
  ...shared,
  path: '/dev/mailbox/:id',
  title: ({ mail }: { mail: KeptMailDetail }) => mail.subject,
  query: z.object({ id: Id }),
  load: async ({ ask, input }) => {
    const [mail, { items }] = await Promise.all([ask(getKeptMail, input), ask(listKeptMails, {})])
    return { mail, mails: items }
  },
  view: (props) => <KeptMailPage {...props} />,
})

export const mailboxPages = [mailboxPage, keptMailPage]
