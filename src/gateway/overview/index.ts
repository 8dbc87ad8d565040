import type { Module } from '#lib/module.ts'
import * as pages from './overview.pages.tsx'
import * as usagePages from './usage.pages.tsx'
import * as operations from './overview.operations.tsx'

export const overviewModule: Module = { operations: [operations], pages: [pages, usagePages] }
