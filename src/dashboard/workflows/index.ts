import type { Module } from '#lib/module.ts'
import { workflows } from '../schema.ts'
import * as contract from './contract.ts'
import { runWorkflow } from './runs/run.job.ts'
import * as runs from './runs/runs.operations.tsx'
import { startPlannedWorkflows } from './runs/start-planned.job.ts'
import * as templateContract from './templates/contract.ts'
import * as templates from './templates/templates.operations.tsx'
import * as triggers from './triggers/contract.ts'
import * as pages from './workflows.pages.tsx'
import * as operations from './workflows.operations.tsx'

export const workflowsModule: Module = {
  operations: [operations, runs, templates],
  pages: [pages],
  contracts: [contract, triggers, templateContract],
  jobs: [runWorkflow, startPlannedWorkflows],
  schedules: [{ cron: '5 * * * * *', job: startPlannedWorkflows }],
  sealed: [workflows.sealedSecret],
}
