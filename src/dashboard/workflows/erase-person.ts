import { sql } from 'drizzle-orm'
import type { ErasureWork } from '#lib/tenant-data.ts'
import type { Step } from './contract.ts'
import { workflowRuns, workflows } from '../schema.ts'

/** Their notices go to the others that the step names. */
export async function erasePersonOfWorkflows({ database, now }: ErasureWork, id: string): Promise<void> {
  await database.db
    .update(workflows)
    .set({ steps: stepsWithout(id), version: sql`${workflows.version} + 1`, updatedAt: now() })
    .where(notifies(id))
}

export async function erasePersonOfRuns({ database }: ErasureWork, id: string): Promise<void> {
  await database.db
    .update(workflowRuns)
    .set({ steps: stepsWithout(id) })
    .where(notifies(id))
}

/** Of either table. */
const notifies = (id: string) => sql`steps @> ${JSON.stringify([{ people: [id] }])}::jsonb`

const stepsWithout = (id: string) => sql<Step[]>`(
  SELECT jsonb_agg(CASE WHEN step ? 'people' THEN jsonb_set(step, '{people}', (step -> 'people') - ${id}::text) ELSE step END ORDER BY at)
  FROM jsonb_array_elements(steps) WITH ORDINALITY AS each(step, at))`
