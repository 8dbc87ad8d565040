import type { Module } from '#lib/module.ts'
import * as brands from './brands.operations.tsx'
import * as brandPages from './brands.pages.tsx'
import { reportAllBrands, reportBrands } from './report.ts'

export const brandsModule: Module = {
  operations: [brands],
  pages: [brandPages],
  jobs: [reportBrands, reportAllBrands],
}
