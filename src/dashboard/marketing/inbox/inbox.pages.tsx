import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { Cursor } from '#lib/paginate.ts'
import { ignoreInvalid, plainText } from '#lib/text.ts'
import { Inbox, InboxItemPage } from '#views/dashboard/marketing/inbox.tsx'
import { adminPageSize } from '#views/ui/admin-search.tsx'
import { InboxItem } from './contract.ts'
import { getAdminSession, getInquiry, listInquiries } from './inbox.operations.tsx'

const admin = { permission: 'super-admin', frame: 'admin', header: 'own', screen: 'admin' } as const

export const inboxPage = page({
  ...admin,
  path: '/admin/inbox',
  icon: 'inbox',
  title: 'Inbox',
  keywords: 'contact feedback waitlist demos messages',
  query: z.object({
    q: plainText(100).trim().default('').catch(''),
    kind: ignoreInvalid(InboxItem.shape.kind),
    state: ignoreInvalid(InboxItem.shape.state),
    cursor: Cursor,
  }),
  load: async (call) => ({
    filter: call.input,
    list: await call.ask(listInquiries, { ...call.input, limit: adminPageSize }),
    confirmedUntil: (await call.ask(getAdminSession, {})).expiresAt,
  }),
  view: (props) => <Inbox {...props} />,
})

export const inboxItemPage = page({
  ...admin,
  path: '/admin/inbox/:id',
  title: ({ item }: { item: InboxItem }) => item.reference,
  query: z.object({ id: Id }),
  load: async ({ ask, input }) => ({ item: await ask(getInquiry, input) }),
  view: (props) => <InboxItemPage {...props} />,
})
