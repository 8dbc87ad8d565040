import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { Timestamp } from '#lib/time.ts'
import { DeletionStatus } from '#views/social/callbacks/deletion-status.tsx'
import { readDeletionCode } from './deletion-code.ts'

/** Data is deleted before a request is answered, so that a code that is ours means that it is done. */
export const getDataDeletion = operation({
  route: 'GET /api/data-deletions/:code',
  summary: 'Get the status of a data deletion',
  permission: 'public',
  input: z.object({ code: z.string().regex(/^[0-9a-f]{48}$/) }),
  output: z.object({
    code: z.string(),
    status: z.literal('completed'),
    requestedAt: Timestamp.nullable().describe('Null when the network doesn’t say.'),
  }),
  run: async ({ secrets, input: { code } }) => ({
    code,
    status: 'completed' as const,
    ...readDeletionCode(secrets, code),
  }),
  view: (deletion) => <DeletionStatus {...deletion} />,
})
