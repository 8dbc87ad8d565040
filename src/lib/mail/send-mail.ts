import { z } from 'zod'
import { Id } from '../ids.ts'
import { job } from '../job.ts'
import { maxConnections } from './smtp.ts'

/** Attempts after the first: delays that double from 5 s span more than an hour and a half. */
export const retries = 10

export const sendMail = job({
  name: 'platform.send-mail',
  input: z.object({ id: Id }),
  retries,
  concurrency: maxConnections, // A mail server that hangs on one mail holds up no other.
  run: ({ input, mail, database, now }) => mail.deliver(database.db, input.id, now()),
})
