import { notFound } from '#lib/errors.ts'
import { topic } from '#lib/topic.ts'
import { inboxChanged } from './publish.ts'

/** `inbox:all`: something in the inbox of the public pages changed. */
export const inboxTopic = topic({
  name: 'inbox',
  permission: 'super-admin',
  ...inboxChanged,
  idOf: () => 'all',
  authorize: async ({ input }) => {
    if (input !== 'all') throw notFound('inbox')
  },
})
