import type { Module } from '#lib/module.ts'
import * as contract from './contract.ts'
import * as operations from './widgets.operations.tsx'

export const widgetsModule: Module = { operations: [operations], contracts: [contract] }
