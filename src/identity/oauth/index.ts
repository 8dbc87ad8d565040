import type { Module } from '#lib/module.ts'
import * as authorizePages from './authorize.pages.tsx'
import * as callbackPages from './callback.pages.tsx'
import * as oauthContract from './contract.ts'
import * as metadata from './metadata.operations.ts'
import * as oauth from './oauth.operations.tsx'

export const oauthModule: Module = {
  operations: [metadata, oauth],
  pages: [authorizePages, callbackPages],
  contracts: [oauthContract],
}
