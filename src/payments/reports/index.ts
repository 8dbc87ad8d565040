import type { Module } from '#lib/module.ts'
import * as accounting from './accounting.operations.tsx'
import * as operations from './reports.operations.tsx'
import * as pages from './reports.pages.tsx'

export const reportsModule: Module = { operations: [operations, accounting], pages: [pages] }
