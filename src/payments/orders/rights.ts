import type { Actor } from '#lib/actor.ts'
import { isAllowed } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'

export interface OrderRights {
  create: boolean
  write: boolean
  refund: boolean
  ledger: boolean
  readInvoices: boolean
  writeInvoices: boolean
  readCustomers: boolean
}

export async function orderRightsOf({
  actor,
  identity,
}: Pick<Call<unknown, Actor>, 'actor' | 'identity'>): Promise<OrderRights> {
  const serviceId = await identity.serviceId('platform-pay')
  return {
    create: isAllowed(actor, 'payments:create', serviceId),
    write: isAllowed(actor, 'transactions:write', serviceId),
    refund: isAllowed(actor, 'transactions:refund', serviceId),
    ledger: isAllowed(actor, 'transactions:read', serviceId),
    readInvoices: isAllowed(actor, 'invoices:read', serviceId),
    writeInvoices: isAllowed(actor, 'invoices:write', serviceId),
    readCustomers: isAllowed(actor, 'customers:read', serviceId),
  }
}
