import { z } from 'zod'
import { job } from '#lib/job.ts'
import { remindOfExpiringKeys } from './keys/reminders.ts'

export const remindOfKeys = job({
  name: 'identity.remind-of-keys',
  input: z.object({}),
  run: remindOfExpiringKeys,
})
