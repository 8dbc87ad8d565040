import type { Module } from '#lib/module.ts'
import * as models from './models.operations.tsx'

export const modelsModule: Module = { operations: [models] }
