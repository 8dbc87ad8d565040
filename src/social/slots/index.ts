import type { Module } from '#lib/module.ts'
import * as slots from './slots.operations.tsx'

export const slotsModule: Module = { operations: [slots] }
