import { z } from 'zod'
import { page } from '#lib/page.ts'
import { DeletionStatus } from '#views/social/callbacks/deletion-status.tsx'
import { getDataDeletion } from './deletion-status.operations.tsx'

/** To which Instagram links. */
export const deletionStatusPage = page({
  path: '/callbacks/instagram/data-deletion/:code',
  permission: 'public',
  frame: 'door',
  title: 'Data deletion',
  query: z.object({ code: z.string().max(100) }),
  load: (call) => call.ask(getDataDeletion, call.input),
  view: (props) => <DeletionStatus {...props} />,
})
