import type { Module } from '#lib/module.ts'
import * as pages from './actions.pages.tsx'
import * as contract from './contract.ts'
import { endPostedNotices, wakeSnoozed } from './jobs.ts'
import * as received from './receive.operations.ts'
import * as widget from './widget.operations.ts'
import * as operations from './notifications.operations.tsx'

export const actionsModule: Module = {
  operations: [operations, received, widget],
  pages: [pages],
  contracts: [contract],
  jobs: [wakeSnoozed, endPostedNotices],
  schedules: [{ cron: '0 35 * * * *', job: endPostedNotices }],
}
