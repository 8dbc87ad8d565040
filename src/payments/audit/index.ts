import type { Module } from '#lib/module.ts'
import * as operations from './audit.operations.tsx'
import * as pages from './audit.pages.tsx'

export const auditModule: Module = { operations: [operations], pages: [pages] }
