import type { Module } from '#lib/module.ts'
import * as operations from './invoices.operations.tsx'
import * as pages from './invoices.pages.tsx'

export const invoicesModule: Module = { operations: [operations], pages: [pages] }
