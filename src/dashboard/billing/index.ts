import type { Module } from '#lib/module.ts'
import * as operations from './billing.operations.tsx'
import * as pages from './billing.pages.tsx'
import * as contract from './contract.ts'
import { reconcileSeatsDaily } from './jobs.ts'
import * as reconcile from './reconcile.operations.ts'

export const billingModule: Module = { operations: [operations], pages: [pages], contracts: [contract] }

/** Of the website, which changes entitlements. */
export const seatsModule: Module = {
  operations: [reconcile],
  jobs: [reconcileSeatsDaily],
  schedules: [{ cron: '0 20 4 * * *', job: reconcileSeatsDaily }],
}
