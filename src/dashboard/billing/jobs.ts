import { z } from 'zod'
import { job } from '#lib/job.ts'
import { reconcileSeats } from './reconcile.ts'

export const reconcileSeatsDaily = job({
  name: 'dashboard.reconcile-seats',
  input: z.object({}),
  retries: 3,
  run: async ({ database, log, ...work }) => {
    const { checked, differences } = await reconcileSeats({ ...work, db: database.db })
    if (differences.length > 0)
      log.warn('Entitlements differ from what is paid', { checked, differences: differences.length })
  },
})
