import { topic } from '../topic.ts'
import { findEndpoint } from './endpoints.ts'
import { webhookChanged } from './publish-change.ts'

export const webhookTopic = topic({
  name: 'webhook',
  permission: 'role:admin',
  ...webhookChanged,
  idOf: ({ webhookId }) => webhookId,
  authorize: ({ db, actor, input }) => findEndpoint(db, actor, input),
})
