import { z } from 'zod'
import type { Problem } from '#lib/errors.ts'

const Choices = z.array(z.object({ context: z.string(), name: z.string() }))
export type LaunchChoices = z.output<typeof Choices>

/** The contexts in which the app can be opened, when the active one doesn’t have it. */
export const choicesOf = ({ options }: Problem): LaunchChoices =>
  Choices.safeParse(options.members?.['choices']).data ?? []
