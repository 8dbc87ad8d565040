import type { Module } from '#lib/module.ts'
import * as operations from './overview.operations.tsx'
import * as pages from './overview.pages.tsx'
import * as widget from './widget.operations.ts'

export const overviewModule: Module = { operations: [operations, widget], pages: [pages] }
