import type { Module } from '#lib/module.ts'
import * as operations from './receipts.operations.tsx'
import * as pages from './receipts.pages.tsx'

export const receiptsModule: Module = { operations: [operations], pages: [pages] }
