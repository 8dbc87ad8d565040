import type { Context } from '#lib/context.ts'
import { exportOperations } from './exports/exports.operations.ts'
import { exportsPage } from './exports/exports.pages.tsx'
import { exportsTopic } from './exports/exports.topic.ts'
import { exportJob, sweepExports } from './exports/jobs.ts'
import * as exportContract from './exports/contract.ts'
import { platformData } from './tenant-data.ts'

export type { Export } from './exports/contract.ts'
export { personShell } from './shell.ts'
export { sweepExports } from './exports/jobs.ts'

/** Exports of the data that these services declare, and the declarations of the platform's own tables. */
export function exportsOf(services: readonly Context[]) {
  const declared = [...services.flatMap(({ data = [] }) => data), ...platformData]
  const slugs = new Set(services.filter(({ data }) => data).map(({ slug }) => slug.replace('platform-', '')))
  const writing = exportJob([...slugs], declared)
  return {
    operations: exportOperations(writing),
    pages: [exportsPage],
    topics: [exportsTopic],
    jobs: [writing, sweepExports],
    schedules: [{ cron: '0 2-59/10 * * * *', job: sweepExports }],
    data: platformData,
    contract: exportContract,
  }
}
