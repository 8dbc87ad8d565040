import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { ignoreInvalid } from '#lib/text.ts'
import type { ReceivedProviderEventDetails } from '../contract/webhooks.ts'
import { EventPage } from '#views/payments/webhooks/event.tsx'
import { WebhooksPage } from '#views/payments/webhooks/page.tsx'
import { eventName } from '#views/payments/webhooks/words.ts'
import { ProviderEventFilter } from '../contract/webhooks.ts'
import { getProviderEvent, listProviderEndpoints, listProviderEvents } from './webhooks.operations.tsx'

const pageSize = 25

const { shape } = ProviderEventFilter

export const webhooksPage = page({
  path: '/pay/webhooks',
  permission: 'payments:read',
  icon: 'webhook',
  keywords: 'events stripe signing secret replay',
  title: 'Webhooks',
  query: z.object({
    state: ignoreInvalid(shape.state),
    type: ignoreInvalid(shape.type),
    q: ignoreInvalid(shape.q),
    from: ignoreInvalid(shape.from),
    to: ignoreInvalid(shape.to),
    timeZone: ignoreInvalid(shape.timeZone),
    cursor: shape.cursor,
  }),
  load: async ({ ask, input, actor }) => {
    const query = { ...input, limit: pageSize }
    const list = await ask(listProviderEvents, query)
    const canFindLost = list.can.replay && (await ask(listProviderEndpoints, {})).can.register
    return { list, query, canFindLost, organizationId: actor.organization?.id }
  },
  view: (props) => <WebhooksPage {...props} />,
})

export const webhookPage = page({
  path: '/pay/webhooks/:id',
  permission: 'payments:read',
  title: ({ event }: { event: ReceivedProviderEventDetails }) => eventName(event),
  query: z.object({ id: Id }),
  load: async ({ ask, input, actor }) => ({
    event: await ask(getProviderEvent, input),
    organizationId: actor.organization?.id,
  }),
  view: (props) => <EventPage {...props} />,
})
