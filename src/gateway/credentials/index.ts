import type { Module } from '#lib/module.ts'
import { providerCredentials } from '../schema.ts'
import * as credentials from './credentials.operations.tsx'
import * as pages from './credentials.pages.tsx'
import { checkCredentials, finishRotations } from './jobs.ts'

export const credentialsModule: Module = {
  operations: [credentials],
  pages: [pages],
  jobs: [checkCredentials, finishRotations],
  schedules: [
    { cron: '0 23 5 * * *', job: checkCredentials },
    { cron: '0 4,14,24,34,44,54 * * * *', job: finishRotations },
  ],
  sealed: [providerCredentials.sealedSecret],
}
