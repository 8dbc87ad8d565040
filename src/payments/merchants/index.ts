import type { Module } from '#lib/module.ts'
import * as operations from './merchants.operations.tsx'
import * as pages from './merchants.pages.tsx'
import * as salesOperations from './sales.operations.ts'
import * as venueOperations from './venues.operations.tsx'

export const merchantsModule: Module = { operations: [operations, salesOperations, venueOperations], pages: [pages] }
