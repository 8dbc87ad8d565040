import type { Module } from '#lib/module.ts'
import { checkDuePosts, checkPost } from './jobs.ts'
import * as readiness from './readiness.operations.tsx'

export const readinessModule: Module = {
  operations: [readiness],
  jobs: [checkPost, checkDuePosts],
  schedules: [{ cron: '20 * * * * *', job: checkDuePosts }],
}
