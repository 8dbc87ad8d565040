import type { Module } from '#lib/module.ts'
import * as disputes from './disputes.operations.ts'
import * as operations from './payments.operations.tsx'
import { checkPayment, expireOrders, sweepPayments } from './sweep.ts'

export const checkoutModule: Module = {
  operations: [operations, disputes],
  jobs: [checkPayment, sweepPayments, expireOrders],
  schedules: [
    { cron: '*/10 * * * * *', job: sweepPayments },
    { cron: '20 * * * * *', job: expireOrders },
  ],
}
