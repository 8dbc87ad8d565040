import { z } from 'zod'
import { organizationOf } from '#lib/authorize.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { PaymentMethods } from '#views/payments/customers/payment-methods.tsx'
import {
  NewPaymentMethodSetup,
  SavedPaymentMethodFilter,
  SavedPaymentMethodList,
  SetupDraft,
} from '../../contract/payment-methods.ts'
import { providerProblems } from '../../provider-problems.ts'
import { findCustomer } from '../read.ts'
import * as change from './change.ts'
import { listMethods } from './list.ts'
import { createSetup } from './setup.ts'
import { readAllMethods } from './sync.ts'

const callsProvider = {
  transaction: false,
  timeout: ({ config }: { config: { PAYMENTS_TIMEOUT_MS: number } }) => 4 * config.PAYMENTS_TIMEOUT_MS + 10_000,
} as const

const Chosen = z.object({ id: Id, methodId: Id })
const firstPage = { limit: 20 }
const pathOf = (id: string): string => `/pay/customers/${id}`

export const createPaymentMethodSetup = operation({
  route: 'POST /api/customers/:id/setup-intents',
  summary: 'Start saving a payment method of a customer',
  permission: 'customers:write',
  machine: true,
  creates: true,
  secrets: ['clientSecret', 'url'],
  ...callsProvider,
  input: SetupDraft,
  output: NewPaymentMethodSetup,
  problems: { ...providerProblems, customer_erased: 409, customer_archived: 409 },
  run: async (call) => {
    const setup = await createSetup(call, call.input)
    return reply(201, setup, { next: setup.url ?? pathOf(call.input.id) })
  },
})

export const listCustomerPaymentMethods = operation({
  route: 'GET /api/customers/:id/payment-methods',
  summary: 'List saved payment methods of a customer',
  permission: 'customers:read',
  machine: true,
  transaction: false,
  input: SavedPaymentMethodFilter,
  output: SavedPaymentMethodList,
  run: (call) => listMethods(call, call.input),
  view: (methods) => <PaymentMethods methods={methods} />,
})

export const checkPaymentMethods = operation({
  route: 'POST /api/customers/:id/payment-methods/check',
  summary: 'Check payment methods at the provider',
  limit: 'checks',
  permission: 'customers:write',
  machine: true,
  audit: false,
  ...callsProvider,
  input: z.object({ id: Id }),
  output: SavedPaymentMethodList,
  problems: providerProblems,
  run: async (call) => {
    const { id } = await findCustomer(call.db, organizationOf(call.actor, 'customers:write'), call.input.id)
    await readAllMethods(call, id)
    return listMethods(call, { id, ...firstPage })
  },
  view: (methods) => <PaymentMethods methods={methods} />,
})

export const setDefaultPaymentMethod = operation({
  route: 'PUT /api/customers/:id/payment-methods/:methodId/default',
  summary: 'Set the default payment method',
  permission: 'customers:write',
  machine: true,
  input: Chosen,
  output: z.null(),
  run: async (call) => {
    await change.setDefault(call, call.input)
    return reply(204, null, { next: pathOf(call.input.id), toast: 'Default changed' })
  },
})

export const removePaymentMethod = operation({
  route: 'DELETE /api/customers/:id/payment-methods/:methodId',
  summary: 'Remove a payment method',
  permission: 'customers:write',
  machine: true,
  ...callsProvider,
  input: Chosen,
  output: z.null(),
  problems: providerProblems,
  run: async (call) => {
    await change.removeMethod(call, call.input)
    return reply(204, null, { next: pathOf(call.input.id), toast: 'Payment method removed' })
  },
})
