import type { Module } from '#lib/module.ts'
import { workflows } from '../schema.ts'
import * as contract from './contract.ts'
import { runWorkflow } from './runs/run.job.ts'
import * as runs from './runs/runs.operations.tsx'
import { startPlannedWorkflows } from './runs/start-planned.job.ts'
import * as pages from './workflows.pages.tsx'
import * as operations from './workflows.operations.tsx'

export const workflowsModule: Module = {
  operations: [operations, runs],
  pages: [pages],
  contracts: [contract],
  jobs: [runWorkflow, startPlannedWorkflows],
  schedules: [{ cron: '5 * * * * *', job: startPlannedWorkflows }],
  sealed: [workflows.sealedSecret],
}
