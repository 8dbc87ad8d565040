import type { Module } from '#lib/module.ts'
import * as operations from './customers.operations.tsx'
import * as pages from './customers.pages.tsx'
import { sweepProviderCustomers, syncProviderCustomerJob } from './methods/jobs.ts'
import * as methods from './methods/methods.operations.tsx'

export const customersModule: Module = {
  operations: [operations, methods],
  pages: [pages],
  jobs: [syncProviderCustomerJob, sweepProviderCustomers],
  schedules: [{ cron: '*/10 * * * * *', job: sweepProviderCustomers }],
}
