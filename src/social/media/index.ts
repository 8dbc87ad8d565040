import type { Module } from '#lib/module.ts'
import { sweepFiles } from './jobs.ts'
import * as media from './media.operations.tsx'

export const mediaModule: Module = {
  operations: [media],
  jobs: [sweepFiles],
  schedules: [{ cron: '0 47 * * * *', job: sweepFiles }],
}
