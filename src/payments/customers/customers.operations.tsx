import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply, stream } from '#lib/reply.ts'
import { CustomerView } from '#views/payments/customers/customer.tsx'
import { CustomerTable } from '#views/payments/customers/table.tsx'
import { CustomerActivityView } from '#views/payments/customers/activity.tsx'
import { CustomerChoices } from '#views/payments/customers/choices.tsx'
import { CustomerTabs } from '#views/payments/customers/tabs.tsx'
import {
  CustomerCounts,
  CustomerDetails,
  CustomerDraft,
  CustomerEdit,
  CustomerFilter,
  CustomerList,
} from '../contract/customers.ts'
import {
  CustomerActivityFilter,
  CustomerActivityList,
  CustomerChoiceFilter,
  CustomerChoiceList,
} from '../contract/customer-activity.ts'
import { editedVersions, versioned } from '../version.ts'
import { listActivity } from './activity.ts'
import { listChoices } from './choices.ts'
import { countCustomers, exportCustomerLines, listCustomerRows } from './list.ts'
import { readCustomer } from './read.ts'
import * as customers from './save.ts'

const path = '/pay/customers'
const Conditions = CustomerFilter.omit({ limit: true, cursor: true })

export const listCustomers = operation({
  route: 'GET /api/customers',
  summary: 'List customers',
  permission: 'customers:read',
  machine: true,
  input: CustomerFilter,
  output: CustomerList,
  run: (call) => listCustomerRows(call, call.input),
  view: (list, { input }) => <CustomerTable list={list} query={input} />,
})

export const createCustomer = operation({
  route: 'POST /api/customers',
  summary: 'Create a customer',
  permission: 'customers:write',
  machine: true,
  creates: true,
  input: CustomerDraft,
  output: CustomerDetails,
  example: { name: 'Lena Vogt', email: 'lena.vogt@example.com' },
  run: async (call) => {
    const { id } = await customers.createCustomer(call, call.input)
    return reply(201, await readCustomer(call, id), { next: `${path}/${id}`, toast: 'Customer created' })
  },
})

export const exportCustomers = operation({
  route: 'GET /api/customers/export',
  summary: 'Export customers as CSV',
  permission: 'customers:read',
  input: Conditions,
  output: z.null(),
  streams: 'text/csv',
  run: async (call) =>
    stream(exportCustomerLines(call, call.input), 'text/csv; charset=utf-8; header=present', {
      headers: { 'Content-Disposition': 'attachment; filename="customers.csv"' },
    }),
})

export const getCustomerCounts = operation({
  route: 'GET /api/customers/counts',
  summary: 'Get customer counts',
  permission: 'customers:read',
  input: Conditions,
  output: CustomerCounts,
  run: (call) => countCustomers(call, call.input),
  view: (counts, { input }) => <CustomerTabs counts={counts} filter={input} />,
})

export const listCustomerChoices = operation({
  route: 'GET /api/customers/choices',
  summary: 'List customers to choose from',
  permission: 'customers:read',
  input: CustomerChoiceFilter,
  output: CustomerChoiceList,
  run: ({ db, actor, input }) => listChoices(db, actor, input),
  view: (choices) => <CustomerChoices choices={choices} />,
})

export const listCustomerActivity = operation({
  route: 'GET /api/customers/:id/activity',
  summary: 'List what happened with a customer',
  permission: 'customers:read',
  machine: true,
  input: CustomerActivityFilter,
  output: CustomerActivityList,
  run: (call) => listActivity(call, call.input),
  view: (activity, { input }) => <CustomerActivityView activity={activity} query={input} />,
})

export const getCustomer = operation({
  route: 'GET /api/customers/:id',
  summary: 'Get a customer with its orders and payments',
  permission: 'customers:read',
  machine: true,
  input: z.object({ id: Id }),
  output: CustomerDetails,
  run: async (call) => versioned(await readCustomer(call, call.input.id)),
  view: (customer) => <CustomerView customer={customer} />,
})

export const updateCustomer = operation({
  route: 'PATCH /api/customers/:id',
  summary: 'Update a customer',
  permission: 'customers:write',
  machine: true,
  ifMatch: true,
  input: CustomerEdit,
  output: CustomerDetails,
  example: { phone: '+49 30 5550184' },
  problems: { version_conflict: 409, customer_erased: 409 },
  run: async (call) => {
    const { id } = await customers.updateCustomer(call, call.input, editedVersions(call))
    return versioned(await readCustomer(call, id), { next: `${path}/${id}`, toast: 'Saved' })
  },
})

export const archiveCustomer = operation({
  route: 'POST /api/customers/:id/archive',
  summary: 'Archive a customer',
  permission: 'customers:write',
  machine: true,
  input: z.object({ id: Id }),
  output: CustomerDetails,
  run: async (call) => {
    const { id } = await customers.archiveCustomer(call, call.input.id)
    return versioned(await readCustomer(call, id), { next: `${path}/${id}`, toast: 'Customer archived' })
  },
})

export const restoreCustomer = operation({
  route: 'POST /api/customers/:id/restore',
  summary: 'Restore an archived customer',
  permission: 'customers:write',
  machine: true,
  input: z.object({ id: Id }),
  output: CustomerDetails,
  problems: { customer_erased: 409 },
  run: async (call) => {
    const { id } = await customers.restoreCustomer(call, call.input.id)
    return versioned(await readCustomer(call, id), { next: `${path}/${id}`, toast: 'Customer restored' })
  },
})

export const deleteCustomer = operation({
  route: 'DELETE /api/customers/:id',
  summary: 'Delete a customer’s personal data',
  permission: 'customers:write',
  machine: true,
  input: z.object({ id: Id }),
  output: z.null(),
  run: async (call) => {
    await customers.eraseCustomer(call, call.input.id)
    return reply(204, null, { next: path, toast: 'Personal data deleted' })
  },
})
