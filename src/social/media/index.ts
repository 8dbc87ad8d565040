import type { Module } from '#lib/module.ts'
import { sweepFiles } from './jobs.ts'
import * as libraryPages from './library/library.pages.tsx'
import * as library from './library/library.operations.tsx'
import * as media from './media.operations.tsx'

export const mediaModule: Module = {
  operations: [media, library],
  pages: [libraryPages],
  jobs: [sweepFiles],
  schedules: [{ cron: '0 47 * * * *', job: sweepFiles }],
}
