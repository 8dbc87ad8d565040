import type { Module } from '#lib/module.ts'
import * as contract from './contract.ts'
import * as pages from './grid.pages.tsx'
import * as operations from './layout.operations.tsx'

export const gridModule: Module = { operations: [operations], pages: [pages], contracts: [contract] }
