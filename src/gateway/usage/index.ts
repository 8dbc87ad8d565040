import type { Module } from '#lib/module.ts'
import { maintainUsage } from './jobs.ts'

export const usageModule: Module = {
  jobs: [maintainUsage],
  schedules: [{ cron: '0 17 * * * *', job: maintainUsage }],
}
