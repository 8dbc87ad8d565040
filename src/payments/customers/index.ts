import type { Module } from '#lib/module.ts'
import * as operations from './customers.operations.tsx'
import * as pages from './customers.pages.tsx'

export const customersModule: Module = { operations: [operations], pages: [pages] }
