import type { Module } from '#lib/module.ts'
import * as ledger from './ledger.operations.tsx'
import * as ledgerPages from './ledger.pages.tsx'

export const ledgerModule: Module = { operations: [ledger], pages: [ledgerPages] }
