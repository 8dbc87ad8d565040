import type { Module } from '#lib/module.ts'
import * as catalog from './catalog.operations.tsx'
import * as pages from './catalog.pages.tsx'
import * as contract from './contract.ts'

export const catalogModule: Module = { operations: [catalog], pages: [pages], contracts: [contract] }
