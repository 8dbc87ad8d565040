import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { Cursor } from '#lib/paginate.ts'
import { ignoreInvalid, plainText } from '#lib/text.ts'
import { MailPage } from '#views/gateway/mail/detail.tsx'
import { MailLogPage } from '#views/gateway/mail/log.tsx'
import { SuppressedPage } from '#views/gateway/mail/suppressed.tsx'
import { MailStatus } from '../contract/email.ts'
import { getLoggedEmail, listLoggedEmails, listSuppressedAddresses } from './log.operations.tsx'

const shared = { permission: 'usage:read', screen: 'settings mailbox gateway-mail' } as const
const pageSize = 25

const search = ignoreInvalid(plainText(200).trim())
const query = {
  status: ignoreInvalid(MailStatus),
  q: search,
  cursor: Cursor,
}

export const mailLogPage = page({
  ...shared,
  path: '/gateway/mail',
  icon: 'send',
  title: 'Email log',
  query: z.object(query),
  load: async ({ ask, input }) => ({
    log: await ask(listLoggedEmails, { ...input, limit: pageSize }),
    query: input,
  }),
  view: (props) => <MailLogPage {...props} />,
})

export const suppressedPage = page({
  ...shared,
  path: '/gateway/mail/suppressed',
  title: 'Suppressed addresses',
  query: z.object({ q: search, cursor: Cursor }),
  load: async ({ ask, input }) => ({
    list: await ask(listSuppressedAddresses, { ...input, limit: pageSize }),
    q: input.q,
  }),
  view: (props) => <SuppressedPage {...props} />,
})

export const mailPage = page({
  ...shared,
  path: '/gateway/mail/:id',
  title: ({ mail }: { mail: { subject: string } }) => mail.subject || 'Email',
  query: z.object({ id: Id, ...query }),
  load: async ({ ask, input }) => {
    const { id, ...rest } = input
    const [mail, log] = await Promise.all([
      ask(getLoggedEmail, { id }),
      ask(listLoggedEmails, { ...rest, limit: pageSize }),
    ])
    return { mail, log, query: rest }
  },
  view: (props) => <MailPage {...props} />,
})
