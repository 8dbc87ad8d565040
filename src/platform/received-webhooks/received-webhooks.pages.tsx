import { z } from 'zod'
import { nullFor404 } from '#lib/errors.ts'
import { ignoreInvalid, plainText } from '#lib/text.ts'
import { Id } from '#lib/ids.ts'
import { ReceivedWebhook } from '#lib/incoming-webhooks/contract.ts'
import { page } from '#lib/page.ts'
import { Cursor } from '#lib/paginate.ts'
import { ReceivedWebhooks, type ReceivedWebhooksProps } from '#views/platform/received-webhooks.tsx'
import type { ReceivedWebhookOperations } from './received-webhooks.operations.tsx'

const pageSize = 50

export const receivedWebhooksPageOf = ({ listReceivedWebhooks, getReceivedWebhook }: ReceivedWebhookOperations) =>
  page({
    path: '/admin/jobs/webhooks',
    permission: 'super-admin',
    frame: 'admin',
    header: 'own',
    screen: 'admin',
    // It has no tab: it is reached from Jobs.
    title: () => 'Received webhooks',
    query: z.object({
      webhook: ignoreInvalid(plainText(100)),
      state: ignoreInvalid(ReceivedWebhook.shape.state),
      event: ignoreInvalid(Id),
      cursor: Cursor,
    }),
    load: async ({ ask, input }): Promise<ReceivedWebhooksProps> => {
      const { event, ...filter } = input
      const query = { ...filter, limit: pageSize }
      const [list, opened] = await Promise.all([
        ask(listReceivedWebhooks, query),
        event ? ask(getReceivedWebhook, { id: event }).catch(nullFor404) : null,
      ])
      return { list, query, opened, openedId: opened?.id }
    },
    view: (props) => <ReceivedWebhooks {...props} />,
  })
