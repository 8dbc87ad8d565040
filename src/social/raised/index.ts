import type { Module } from '#lib/module.ts'
import { raiseEnding } from './ending-accounts.ts'
import { updateActions } from './update-actions.ts'

export const raisedModule: Module = {
  jobs: [raiseEnding, updateActions],
  schedules: [{ cron: '0 33 * * * *', job: raiseEnding }],
}
