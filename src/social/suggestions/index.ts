import type { Module } from '#lib/module.ts'
import * as suggestions from './suggestions.operations.ts'

export const suggestionsModule: Module = { operations: [suggestions] }
