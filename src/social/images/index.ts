import type { Module } from '#lib/module.ts'
import * as operations from './images.operations.tsx'
import * as pages from './images.pages.tsx'
import { failInterruptedImages } from './jobs.ts'

export const imagesModule: Module = {
  operations: [operations],
  pages: [pages],
  jobs: [failInterruptedImages],
  schedules: [{ cron: '10,40 * * * * *', job: failInterruptedImages }],
}
