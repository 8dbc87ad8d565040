import type { Module } from '#lib/module.ts'
import * as calendarPages from './calendar.pages.tsx'
import * as calendar from './calendar.operations.tsx'
import * as calendarFeeds from './feeds/feeds.operations.tsx'
import * as calendarInput from './input.ts'

export const calendarModule: Module = {
  operations: [calendar, calendarFeeds],
  pages: [calendarPages],
  contracts: [calendarInput],
}
