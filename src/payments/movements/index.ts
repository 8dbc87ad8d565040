import type { Module } from '#lib/module.ts'
import { bookMovements, checkMovements, readAllMovements } from './jobs.ts'

export const movementsModule: Module = {
  jobs: [bookMovements, checkMovements, readAllMovements],
  schedules: [
    { cron: '40 * * * * *', job: checkMovements },
    { cron: '0 8 * * * *', job: readAllMovements },
  ],
}
