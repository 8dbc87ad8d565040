import type { Module } from '#lib/module.ts'
import * as operations from './corrections.operations.tsx'
import * as pages from './corrections.pages.tsx'
import * as input from './input.ts'
import { settleForgotten } from './settle.job.ts'

export const correctionsModule: Module = {
  operations: [operations],
  pages: [pages],
  contracts: [input],
  jobs: [settleForgotten],
}
