import type { Module } from '#lib/module.ts'
import * as operations from './analytics.operations.tsx'
import * as pages from './analytics.pages.tsx'

export const analyticsModule: Module = { operations: [operations], pages: [pages] }
