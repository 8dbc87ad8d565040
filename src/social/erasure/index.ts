import type { Module } from '#lib/module.ts'
import { deleteExpired, eraseOrganizations } from './jobs.ts'

export const erasureModule: Module = {
  jobs: [deleteExpired],
  schedules: [
    { cron: '0 22 * * * *', job: eraseOrganizations },
    { cron: '0 52 * * * *', job: deleteExpired },
  ],
}
