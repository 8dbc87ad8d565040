import type { Module } from '#lib/module.ts'
import * as budgets from './budgets.operations.tsx'
import { resolveAlerts } from './jobs.ts'
import { alertPlatform } from './platform-alerts.ts'
import * as limits from './limits.operations.tsx'
import * as pages from './limits.pages.tsx'
import * as preflight from './preflight.operations.ts'

export const budgetsModule: Module = {
  operations: [limits, budgets, preflight],
  pages: [pages],
  jobs: [resolveAlerts, alertPlatform],
  schedules: [{ cron: '30 * * * * *', job: resolveAlerts }],
}
