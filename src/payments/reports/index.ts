import type { Module } from '#lib/module.ts'
import * as accounting from './accounting.operations.tsx'
import * as details from './details.operations.tsx'
import * as detailPages from './details.pages.tsx'
import * as operations from './reports.operations.tsx'
import * as pages from './reports.pages.tsx'

export const reportsModule: Module = { operations: [operations, details, accounting], pages: [pages, detailPages] }
