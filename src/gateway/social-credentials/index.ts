import type { Module } from '#lib/module.ts'
import { socialApps, socialClientKeys, socialTokenRefreshes } from '../schema.ts'
import * as bluesky from './bluesky/bluesky.operations.ts'
import * as oauth from './oauth/oauth.operations.ts'
import * as connections from './connections.operations.tsx'
import * as pages from './connections.pages.tsx'
import * as mastodon from './mastodon.operations.ts'
import * as reports from './reports.operations.ts'

export const socialCredentialsModule: Module = {
  operations: [connections, bluesky, mastodon, oauth, reports],
  pages: [pages],
  sealed: [socialApps.sealedSecret, socialClientKeys.sealedKey, socialTokenRefreshes.sealedResponse],
}
