import type { Module } from '#lib/module.ts'
import * as correction from './correction.operations.ts'
import * as events from './events.operations.ts'
import * as insight from './insight.operations.tsx'
import { maintainUsage } from './jobs.ts'
import * as rerating from './rerate.operations.ts'
import * as reads from './reads.operations.tsx'

export const usageModule: Module = {
  operations: [events, reads, insight, rerating, correction],
  jobs: [maintainUsage],
  schedules: [{ cron: '0 17 * * * *', job: maintainUsage }],
}
