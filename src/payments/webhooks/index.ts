import type { Module } from '#lib/module.ts'
import { providerEndpoints } from '../schema.ts'

export const webhooksModule: Module = {
  sealed: [providerEndpoints.sealedSecret, providerEndpoints.sealedPreviousSecret],
}
