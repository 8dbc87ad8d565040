import type { Module } from '#lib/module.ts'
import * as calendarPages from './calendar.pages.tsx'
import * as calendar from './calendar.operations.tsx'
import * as calendarInput from './input.ts'

export const calendarModule: Module = { operations: [calendar], pages: [calendarPages], contracts: [calendarInput] }
