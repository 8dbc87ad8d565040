import type { Module } from '#lib/module.ts'
import { socialApps } from '../schema.ts'
import * as apps from './app-door.operations.ts'
import * as connections from './connections.operations.tsx'
import * as pages from './connections.pages.tsx'
import * as door from './door.operations.ts'
import * as reports from './reports.operations.ts'

export const socialCredentialsModule: Module = {
  operations: [connections, door, apps, reports],
  pages: [pages],
  sealed: [socialApps.sealedSecret],
}
