import type { Module } from '#lib/module.ts'
import * as brands from './brands.operations.tsx'
import * as brandPages from './brands.pages.tsx'
import * as logo from './logo/logo.operations.tsx'
import { reportAllBrands, reportBrands } from './report.ts'

export const brandsModule: Module = {
  operations: [brands, logo],
  pages: [brandPages],
  jobs: [reportBrands, reportAllBrands],
}
