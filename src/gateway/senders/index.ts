import type { Module } from '#lib/module.ts'
import { senderDomains } from '../schema.ts'
import { checkSenderDomains } from './jobs.ts'
import * as senders from './senders.operations.tsx'
import * as pages from './senders.pages.tsx'

export const sendersModule: Module = {
  operations: [senders],
  pages: [pages],
  jobs: [checkSenderDomains],
  schedules: [{ cron: '0 */10 * * * *', job: checkSenderDomains }],
  sealed: [senderDomains.sealedKeys],
}
