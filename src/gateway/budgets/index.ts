import type { Module } from '#lib/module.ts'
import * as limits from './limits.operations.tsx'

export const budgetsModule: Module = { operations: [limits] }
