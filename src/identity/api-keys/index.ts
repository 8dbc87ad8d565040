import type { Module } from '#lib/module.ts'
import * as agents from './agents/agents.operations.tsx'
import * as agentsContract from './agents/contract.ts'
import * as apiKeys from './api-keys.operations.tsx'
import * as apiKeysPages from './api-keys.pages.tsx'
import * as apiKeysContract from './contract.ts'
import { remindOfKeys } from './jobs.ts'

export const apiKeysModule: Module = {
  operations: [apiKeys, agents],
  pages: [apiKeysPages],
  contracts: [apiKeysContract, agentsContract],
  jobs: [remindOfKeys],
  schedules: [{ cron: '0 7 * * * *', job: remindOfKeys }],
}
