import type { Module } from '#lib/module.ts'
import * as appTokensContract from './app-tokens/contract.ts'
import * as appTokens from './app-tokens/app-tokens.operations.ts'
import * as serviceKeysContract from './service-keys/contract.ts'
import * as serviceKeys from './service-keys/service-keys.operations.tsx'
import * as validate from './validate.operations.tsx'
import { rotateKeys } from './jobs.ts'
import { signingKeys } from '../schema.ts'

export const tokensModule: Module = {
  operations: [validate, serviceKeys, appTokens],
  contracts: [serviceKeysContract, appTokensContract],
  jobs: [rotateKeys],
  schedules: [{ cron: '0 27 * * * *', job: rotateKeys }],
  sealed: [signingKeys.sealedPrivateKey],
}
