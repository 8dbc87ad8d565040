import type { Module } from '#lib/module.ts'
import { callbackSecrets } from '../schema.ts'
import { announceChanges } from './announce.ts'
import { deliverCallback } from './callbacks/deliver.ts'
import * as secretOperations from './callbacks/secrets.operations.tsx'
import { resumeSettlements } from './resume.ts'
import * as operations from './settlements.operations.tsx'
import * as pages from './settlements.pages.tsx'
import { startSettlement } from './start.ts'
import { workItems } from './work-items.ts'

export const settlementsModule: Module = {
  operations: [operations, secretOperations],
  pages: [pages],
  jobs: [startSettlement, workItems, announceChanges, deliverCallback, resumeSettlements],
  schedules: [{ cron: '*/10 * * * * *', job: resumeSettlements }],
  sealed: [callbackSecrets.sealedSecret, callbackSecrets.sealedPreviousSecret],
}
