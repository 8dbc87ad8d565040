import type { Module } from '#lib/module.ts'
import { planReconciliations, reconcile } from './jobs.ts'
import * as operations from './reconciliation.operations.tsx'
import * as pages from './reconciliation.pages.tsx'

export const reconciliationModule: Module = {
  operations: [operations],
  pages: [pages],
  jobs: [reconcile, planReconciliations],
  schedules: [{ cron: '20 */5 * * * *', job: planReconciliations }],
}
