import type { Module } from '#lib/module.ts'
import * as queueInput from './input.ts'
import * as queue from './queue.operations.tsx'
import * as queuePages from './queue.pages.tsx'

export const queueModule: Module = { operations: [queue], pages: [queuePages], contracts: [queueInput] }
