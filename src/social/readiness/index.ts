import type { Module } from '#lib/module.ts'
import { checkDuePosts, checkPost } from './jobs.ts'

export const readinessModule: Module = {
  jobs: [checkPost, checkDuePosts],
  schedules: [{ cron: '20 * * * * *', job: checkDuePosts }],
}
