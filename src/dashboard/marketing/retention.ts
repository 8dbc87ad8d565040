import { lte } from 'drizzle-orm'
import { z } from 'zod'
import { deleteInBatches } from '#lib/db/delete-in-batches.ts'
import { job } from '#lib/job.ts'
import { inquiries } from '../schema.ts'

export const deleteExpiredInquiries = job({
  name: 'dashboard.delete-expired-inquiries',
  input: z.object({}),
  run: ({ database, now }) => deleteInBatches(database.db, inquiries, lte(inquiries.expiresAt, now())),
})
