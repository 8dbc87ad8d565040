import type { Module } from '#lib/module.ts'
import * as contract from './contract.ts'
import * as operations from './settings.operations.tsx'
import * as pages from './settings.pages.tsx'

export const settingsModule: Module = { operations: [operations], pages: [pages], contracts: [contract] }
