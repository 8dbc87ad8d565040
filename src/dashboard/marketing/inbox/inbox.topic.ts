import { topic } from '#lib/topic.ts'
import { inboxChanged } from './publish.ts'

/** `inbox:all`: something in the inbox of the public pages changed. */
export const inboxTopic = topic({
  name: 'inbox',
  permission: 'super-admin',
  single: true,
  ...inboxChanged,
  idOf: () => 'all',
  authorize: async () => undefined,
})
