import type { Module } from '#lib/module.ts'
import * as account from './operations/account.operations.ts'
import * as charges from './operations/charges.operations.ts'
import * as checkout from './operations/checkout.operations.ts'
import * as customers from './operations/customers.operations.ts'
import * as disputes from './operations/disputes.operations.ts'
import * as events from './operations/events.operations.ts'
import * as intents from './operations/payment-intents.operations.ts'
import * as invoices from './operations/invoices.operations.ts'
import * as methods from './operations/payment-methods.operations.ts'
import * as payouts from './operations/payouts.operations.ts'
import * as prices from './operations/prices.operations.ts'
import * as refunds from './operations/refunds.operations.ts'
import * as subscriptions from './operations/subscriptions.operations.ts'
import * as endpoints from './operations/webhook-endpoints.operations.ts'

export const paymentsModule: Module = {
  operations: [
    account,
    customers,
    prices,
    checkout,
    intents,
    charges,
    methods,
    refunds,
    payouts,
    disputes,
    subscriptions,
    invoices,
    events,
    endpoints,
  ],
}
