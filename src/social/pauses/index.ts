import type { Module } from '#lib/module.ts'
import * as pauses from './pauses.operations.tsx'

export const pausesModule: Module = { operations: [pauses] }
