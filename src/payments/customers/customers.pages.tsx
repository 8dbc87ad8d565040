import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { Limit } from '#lib/paginate.ts'
import { ignoreInvalid } from '#lib/text.ts'
import { CustomerView } from '#views/payments/customers/customer.tsx'
import { CustomersPage } from '#views/payments/customers/page.tsx'
import { customerText } from '#views/payments/customers/words.ts'
import { CustomerFilter, type CustomerDetails } from '../contract/customers.ts'
import { getCustomer, getCustomerCounts, listCustomers } from './customers.operations.tsx'

const firstRows = 20
const { shape } = CustomerFilter

export const customersPage = page({
  path: '/pay/customers',
  permission: 'customers:read',
  query: z.object({
    q: ignoreInvalid(shape.q),
    kind: ignoreInvalid(shape.kind),
    country: ignoreInvalid(shape.country),
    attention: ignoreInvalid(shape.attention),
    state: ignoreInvalid(shape.state),
    cursor: shape.cursor,
    limit: Limit.catch(firstRows),
  }),
  screen: 'payments',
  icon: 'users',
  title: 'Customers',
  keywords: 'buyers clients cards payment methods companies',
  load: async ({ ask, input }) => {
    const query = { ...input, state: input.state ?? ('active' as const) }
    const { limit: _, cursor: __, ...conditions } = query
    const [list, counts] = await Promise.all([ask(listCustomers, query), ask(getCustomerCounts, conditions)])
    return { list, counts, query }
  },
  view: (props) => <CustomersPage {...props} />,
})

export const customerPage = page({
  path: '/pay/customers/:id',
  permission: 'customers:read',
  query: z.object({ id: Id }),
  screen: 'payments',
  title: ({ customer }: { customer: CustomerDetails }) => customerText(customer),
  load: async ({ ask, input }) => ({ customer: await ask(getCustomer, input) }),
  view: ({ customer }) => <CustomerView customer={customer} />,
})
