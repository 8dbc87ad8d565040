import type { Module } from '#lib/module.ts'
import * as serviceKeysContract from './service-keys/contract.ts'
import * as serviceKeys from './service-keys/service-keys.operations.tsx'
import * as validate from './validate.operations.tsx'
import { rotateKeys } from './jobs.ts'
import { signingKeys } from '../schema.ts'

export const tokensModule: Module = {
  operations: [validate, serviceKeys],
  contracts: [serviceKeysContract],
  jobs: [rotateKeys],
  schedules: [{ cron: '0 27 * * * *', job: rotateKeys }],
  sealed: [signingKeys.sealedPrivateKey],
}
