import type { Module } from '#lib/module.ts'
import * as operations from './orders.operations.tsx'

export const ordersModule: Module = { operations: [operations] }
