import type { Database } from '#lib/db.ts'
import { resolveAction } from '#lib/raised-actions.ts'

export const failingCause = (id: string): string => `dashboard.workflow-failing:${id}`

/** It was enabled, changed or deleted. */
export const endFailing = (tx: Database, id: string): Promise<void> => resolveAction(tx, failingCause(id))
