import type { Module } from '#lib/module.ts'
import * as circuits from '../providers/circuits.operations.tsx'
import * as pages from './overview.pages.tsx'
import * as telemetryPages from './telemetry.pages.tsx'
import * as widget from './widget.operations.ts'
import * as usagePages from './usage.pages.tsx'
import * as operations from './overview.operations.tsx'

export const overviewModule: Module = {
  operations: [operations, widget, circuits],
  pages: [pages, usagePages, telemetryPages],
}
