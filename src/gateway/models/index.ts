import type { Module } from '#lib/module.ts'
import { syncModels } from './jobs.ts'
import * as models from './models.operations.tsx'
import * as pages from './models.pages.tsx'

export const modelsModule: Module = {
  operations: [models],
  pages: [pages],
  jobs: [syncModels],
  schedules: [{ cron: '0 11 4 * * *', job: syncModels }],
}
