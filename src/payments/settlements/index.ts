import type { Module } from '#lib/module.ts'
import { callbackSecrets } from '../schema.ts'

export const settlementsModule: Module = {
  sealed: [callbackSecrets.sealedSecret, callbackSecrets.sealedPreviousSecret],
}
