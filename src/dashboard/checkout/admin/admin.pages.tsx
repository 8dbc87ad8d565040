import { z } from 'zod'
import { page } from '#lib/page.ts'
import { Cursor } from '#lib/paginate.ts'
import { ignoreInvalid, plainText } from '#lib/text.ts'
import { AdminCheckouts } from '#views/dashboard/checkout/admin.tsx'
import { adminPageSize } from '#views/ui/admin-search.tsx'
import { AdminCheckout } from './contract.ts'
import { listAdminCheckouts } from './admin.operations.tsx'

export const adminCheckoutsPage = page({
  permission: 'super-admin',
  frame: 'admin',
  header: 'own',
  screen: 'admin',
  path: '/admin/checkouts',
  icon: 'receipt',
  title: 'Checkouts',
  keywords: 'orders packages buyers website',
  query: z.object({
    q: plainText(100).trim().default('').catch(''),
    state: ignoreInvalid(AdminCheckout.shape.state),
    cursor: Cursor,
  }),
  load: async ({ ask, input }) => ({
    filter: input,
    list: await ask(listAdminCheckouts, { ...input, limit: adminPageSize }),
  }),
  view: (props) => <AdminCheckouts {...props} />,
})
