import type { Module } from '#lib/module.ts'
import { providerCredentials } from '../schema.ts'
import * as credentials from './credentials.operations.tsx'

export const credentialsModule: Module = {
  operations: [credentials],
  sealed: [providerCredentials.sealedSecret],
}
