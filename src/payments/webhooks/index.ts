import type { Module } from '#lib/module.ts'
import { providerEndpoints } from '../schema.ts'
import { findLost, findLostOfEndpoint } from './jobs.ts'
import * as webhooks from './webhooks.operations.tsx'
import * as webhookPages from './webhooks.pages.tsx'

export const webhooksModule: Module = {
  operations: [webhooks],
  pages: [webhookPages],
  jobs: [findLost, findLostOfEndpoint],
  schedules: [{ cron: '0 3,13,23,33,43,53 * * * *', job: findLost }],
  sealed: [providerEndpoints.sealedSecret, providerEndpoints.sealedPreviousSecret],
}
