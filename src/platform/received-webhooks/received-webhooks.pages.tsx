import { z } from 'zod'
import { nullFor404 } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { findReceived, listReceived, ReceivedWebhook } from '#lib/incoming-webhooks/received.ts'
import { page } from '#lib/page.ts'
import { plainText } from '#lib/text.ts'
import { ReceivedWebhooks, type ReceivedWebhooksProps } from '#views/platform/received-webhooks.tsx'

const atOnce = 50

/** Builds the page of received webhook events. `webhooks` are the names of all webhooks. */
export const receivedWebhooksPageOf = (webhooks: string[]) =>
  page({
    path: '/admin/jobs/webhooks',
    permission: 'super-admin',
    frame: 'admin',
    // It has no tab: it is reached from Jobs.
    title: () => 'Received webhooks',
    query: z.object({
      webhook: plainText(100).optional().catch(undefined),
      state: ReceivedWebhook.shape.state.optional().catch(undefined),
      event: Id.optional().catch(undefined),
      cursor: z.string().max(500).optional(),
    }),
    load: async ({ db, input, request: { url } }): Promise<ReceivedWebhooksProps> => {
      const { event, cursor, ...filter } = input
      const [{ items, nextCursor }, opened] = await Promise.all([
        listReceived(db, { ...filter, cursor, limit: atOnce }),
        event ? findReceived(db, event).catch(nullFor404) : null,
      ])
      const address = url.pathname + url.search
      return { webhooks, filter, cursor, received: items, nextCursor, opened, address }
    },
    view: (shown) => <ReceivedWebhooks {...shown} />,
  })
