import type { Module } from '#lib/module.ts'
import * as deletionContract from './contract.ts'
import * as deletion from './deletion.operations.tsx'
import * as deletionPages from './deletion.pages.tsx'
import { eraseDeleted, remindOfDeletions } from './jobs.ts'

export const deletionModule: Module = {
  operations: [deletion],
  pages: [deletionPages],
  contracts: [deletionContract],
  jobs: [remindOfDeletions],
  schedules: [
    { cron: '0 12 * * * *', job: remindOfDeletions },
    { cron: '0 22 * * * *', job: eraseDeleted },
  ],
}
