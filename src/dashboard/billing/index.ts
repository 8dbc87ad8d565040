import type { Module } from '#lib/module.ts'
import * as operations from './billing.operations.tsx'
import * as pages from './billing.pages.tsx'
import * as contract from './contract.ts'

export const billingModule: Module = { operations: [operations], pages: [pages], contracts: [contract] }
