import { z } from 'zod'
import { Id } from '../ids.ts'
import { job } from '../job.ts'
import { maxConnections } from './smtp.ts'

/** Attempts after the first: with doubling waits from 5 s they reach over an hour and a half. */
export const retries = 10

/** Hands one mail to the mail server. */
export const sendMail = job({
  name: 'platform.send-mail',
  input: z.object({ id: Id }),
  retries,
  concurrency: maxConnections, // A mail server that hangs on one mail holds up no other.
  run: ({ input, mail, database, now }) => mail.deliver(database.db, input.id, now()),
})
