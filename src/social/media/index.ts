import type { Module } from '#lib/module.ts'
import { sweepFiles } from './jobs/sweep-files.job.ts'
import * as copies from './copies/copies.operations.ts'
import * as crop from './crop/crop.operations.ts'
import * as libraryPages from './library/library.pages.tsx'
import * as library from './library/library.operations.tsx'
import * as media from './media.operations.tsx'
import { processMedia } from './jobs/process.job.ts'
import * as publicLink from './links/public-link.operations.ts'
import { transcodeVideo } from './jobs/transcode.job.ts'

export const mediaModule: Module = {
  operations: [media, library, crop, copies, publicLink],
  pages: [libraryPages],
  jobs: [sweepFiles, processMedia, transcodeVideo],
  schedules: [{ cron: '0 47 * * * *', job: sweepFiles }],
}
