import type { Module } from '#lib/module.ts'
import * as operations from './settings.operations.tsx'

export const settingsModule: Module = { operations: [operations] }
