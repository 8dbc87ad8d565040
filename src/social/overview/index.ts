import type { Module } from '#lib/module.ts'
import * as widget from './widget.operations.ts'

export const overviewModule: Module = { operations: [widget] }
