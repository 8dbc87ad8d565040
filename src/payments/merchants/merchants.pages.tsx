import { z } from 'zod'
import { page } from '#lib/page.ts'
import { Cursor, Limit } from '#lib/paginate.ts'
import { ignoreInvalid } from '#lib/text.ts'
import { MerchantsPage } from '#views/payments/merchants/page.tsx'
import { MerchantFilter } from '../contract/merchants.ts'
import { listMerchants } from './merchants.operations.tsx'
import { askParts } from './draw-merchants.tsx'

const firstMerchants = 20

export const merchantsPage = page({
  path: '/pay/merchants',
  permission: 'merchants:read',
  query: z.object({
    state: ignoreInvalid(MerchantFilter.shape.state),
    cursor: Cursor,
    limit: Limit.catch(firstMerchants),
  }),
  screen: 'payments merchants',
  icon: 'store',
  title: 'Merchants and venues',
  keywords: 'shops tills stores sellers addresses tax number vat invoice prefix',
  load: async (call) => {
    const { ask, input } = call
    const query = { ...input, state: input.state ?? 'active' }
    const merchants = await ask(listMerchants, query)
    return { merchants, ...(await askParts(call, merchants)), query }
  },
  view: (props) => <MerchantsPage {...props} />,
})
