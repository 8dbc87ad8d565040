import type { Module } from '#lib/module.ts'
import * as operations from './refunds.operations.tsx'
import * as pages from './refunds.pages.tsx'
import { checkRefundJob, sweepRefunds } from './sweep.ts'

export const refundsModule: Module = {
  operations: [operations],
  pages: [pages],
  jobs: [checkRefundJob, sweepRefunds],
  schedules: [{ cron: '5,15,25,35,45,55 * * * * *', job: sweepRefunds }],
}
