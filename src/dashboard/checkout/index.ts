import type { Module } from '#lib/module.ts'
import * as operations from './checkout.operations.tsx'
import * as pages from './checkout.pages.tsx'
import * as contract from './contract.ts'
import { applySubscription, checkOpenCheckout, sweepCheckouts, sweepUnapplied } from './jobs.ts'
import * as receive from './receive.operations.ts'

export const checkoutModule: Module = {
  operations: [operations, receive],
  pages: [pages],
  contracts: [contract],
  jobs: [applySubscription, checkOpenCheckout, sweepCheckouts, sweepUnapplied],
  schedules: [
    { cron: '35 * * * * *', job: sweepCheckouts },
    { cron: '5 */10 * * * *', job: sweepUnapplied },
  ],
}
