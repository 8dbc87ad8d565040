import type { Context } from '#lib/context.ts'
import { platformData } from '../tenant-data.ts'
import * as contract from './contract.ts'
import { exportOperations } from './exports.operations.tsx'
import { exportsPage } from './exports.pages.tsx'
import { exportsTopic } from './exports.topic.ts'
import { exportJob, sweepExports } from './jobs.ts'

export function exportsOf(services: readonly Context[]) {
  const declared = [...services.flatMap(({ data = [] }) => data), ...platformData]
  const slugs = new Set(services.filter(({ data }) => data).map(({ slug }) => slug.replace('platform-', '')))
  const writing = exportJob([...slugs], declared)
  return {
    contract,
    operations: exportOperations(writing),
    pages: [exportsPage],
    topics: [exportsTopic],
    jobs: [writing, sweepExports],
    schedules: [{ cron: '0 2-59/10 * * * *', job: sweepExports }],
  }
}
