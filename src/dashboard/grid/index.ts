import type { Module } from '#lib/module.ts'
import * as pages from './grid.pages.tsx'

export const gridModule: Module = { pages: [pages] }
