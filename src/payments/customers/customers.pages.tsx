import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { Limit } from '#lib/paginate.ts'
import { ignoreInvalid } from '#lib/text.ts'
import { CustomerView } from '#views/payments/customers/customer.tsx'
import { CustomersPage } from '#views/payments/customers/page.tsx'
import { customerText } from '#views/payments/customers/words.ts'
import { CustomerFilter, type CustomerDetails } from '../contract/customers.ts'
import { getCustomer, getCustomerCounts, listCustomerActivity, listCustomers } from './customers.operations.tsx'
import { listCustomerPaymentMethods } from './methods/methods.operations.tsx'

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
  query: z.object({
    id: Id,
    added: ignoreInvalid(z.literal('true').optional()),
    cursor: shape.cursor,
    limit: Limit.catch(firstRows),
  }),
  screen: 'usage payments',
  title: ({ customer }: { customer: CustomerDetails }) => customerText(customer),
  load: async ({ ask, input: { id, added, ...paging } }) => {
    const [customer, methods, list] = await Promise.all([
      ask(getCustomer, { id }),
      ask(listCustomerPaymentMethods, { id }),
      ask(listCustomerActivity, { id, ...paging }),
    ])
    return { customer, methods, activity: { list, query: paging }, isReturning: added === 'true' }
  },
  view: (props) => <CustomerView {...props} />,
})
