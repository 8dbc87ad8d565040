import type { Module } from '#lib/module.ts'
import * as ledger from './ledger.operations.ts'

export const ledgerModule: Module = { operations: [ledger] }
