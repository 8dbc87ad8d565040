import type { Module } from '#lib/module.ts'
import * as contract from './contract.ts'
import * as pages from './launch.pages.tsx'
import * as operations from './launches.operations.ts'

export const launchesModule: Module = { operations: [operations], pages: [pages], contracts: [contract] }
