import { z } from 'zod'
import { Id } from '#lib/ids.ts'

const maxApps = 100

/** The first field of a form sends an empty text, so that a choice of none is sent, too. */
const chosen = z.union([Id, z.literal('')])

export const AppSelection = z.object({
  apps: z
    .union([z.array(chosen).max(maxApps, `Must have at most ${maxApps} apps.`), chosen.transform((one) => [one])])
    .transform((ids) => [...new Set(ids.filter((id) => id !== ''))])
    .describe('The IDs of the apps to have. Others that can be removed are uninstalled.'),
})
export type AppSelection = z.output<typeof AppSelection>
