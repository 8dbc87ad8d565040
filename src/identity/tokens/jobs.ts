import { z } from 'zod'
import { job } from '#lib/job.ts'
import { rotateSigningKeys } from './signing-keys.ts'

export const rotateKeys = job({
  name: 'identity.rotate-keys',
  input: z.object({}),
  run: ({ database, secrets, now }) => rotateSigningKeys({ db: database.db, secrets, now }),
})
