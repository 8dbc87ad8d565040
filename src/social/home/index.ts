import type { Module } from '#lib/module.ts'
import * as home from './home.operations.tsx'
import * as homePages from './home.pages.tsx'

export const homeModule: Module = { operations: [home], pages: [homePages] }
