import { z } from 'zod'
import { job } from '#lib/job.ts'
import { remindOfExpiringKeys } from './reminders.ts'

/** Mails owners of API keys that expire soon. */
export const remindOfKeys = job({
  name: 'identity.remind-of-keys',
  input: z.object({}),
  run: remindOfExpiringKeys,
})
