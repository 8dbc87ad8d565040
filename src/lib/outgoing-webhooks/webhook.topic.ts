import { topic } from '../topic.ts'
import { findEndpoint } from './endpoints.ts'
import { webhookChanged } from './publish-change.ts'

/** `webhook:<id>`: a webhook was changed or deleted, or a delivery of it was created or attempted. */
export const webhookTopic = topic({
  name: 'webhook',
  permission: 'role:admin',
  ...webhookChanged,
  idOf: ({ webhookId }) => webhookId,
  authorize: ({ db, actor, input }) => findEndpoint(db, actor, input),
})
