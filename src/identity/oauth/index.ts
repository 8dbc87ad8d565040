import { authorizePage } from './authorize.pages.tsx'
import { callbackPage } from './callback.pages.tsx'
import * as metadata from './metadata.operations.ts'
import * as operations from './oauth.operations.tsx'

export * as ssoContract from './contract.ts'

export const sso = { ...operations, ...metadata }
export const ssoPages = [authorizePage, callbackPage]
