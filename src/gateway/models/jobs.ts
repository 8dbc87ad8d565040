import { z } from 'zod'
import { job } from '#lib/job.ts'
import { listProviderSources } from './sources.ts'
import { raiseModelActions } from './actions.ts'
import { syncSources } from './sync.ts'

/** Daily. */
export const syncModels = job({
  name: 'gateway.sync-models',
  input: z.object({}),
  run: async ({ database: { db }, now, ...provided }) => {
    await syncSources(db, await listProviderSources(provided, db, now()), now())
    await raiseModelActions(db, provided.config, now())
  },
})
