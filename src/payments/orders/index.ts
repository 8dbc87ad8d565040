import type { Module } from '#lib/module.ts'
import * as operations from './orders.operations.tsx'
import * as pages from './orders.pages.tsx'

export const ordersModule: Module = { operations: [operations], pages: [pages] }
