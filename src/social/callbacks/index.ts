import type { Module } from '#lib/module.ts'
import * as deletions from './deletion-status.operations.tsx'
import * as deletionPages from './deletion-status.pages.tsx'
import * as instagram from './instagram.operations.ts'

export const callbacksModule: Module = { operations: [instagram, deletions], pages: [deletionPages] }
