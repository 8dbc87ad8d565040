import { z } from 'zod'
import { forEachSettled } from '#lib/each.ts'
import { job } from '#lib/job.ts'
import { eraseDueAccounts } from './erase-accounts.ts'
import { eraseDueOrganizations } from './erase-organizations.ts'
import { remindOfDueDeletions } from './reminders.ts'

export const eraseDeleted = job({
  name: 'identity.erase-deleted',
  input: z.object({}),
  run: (work) => forEachSettled([eraseDueOrganizations, eraseDueAccounts], (erase) => erase(work)),
})

export const remindOfDeletions = job({
  name: 'identity.remind-of-deletions',
  input: z.object({}),
  run: remindOfDueDeletions,
})
