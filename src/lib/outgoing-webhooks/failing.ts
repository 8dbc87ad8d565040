import type { Database } from '../db.ts'
import { raiseAction, resolveAction } from '../raised-actions.ts'
import type { ActionButton, webhookEndpoints } from '../schema.ts'
import { webhookKind } from './notification-kind.ts'

type Endpoint = Pick<typeof webhookEndpoints.$inferSelect, 'id' | 'organizationId' | 'name' | 'url'>

const causeOf = (id: string): string => `platform.webhook:${id}`

const pageOf = ({ id }: Endpoint): string => `/settings/webhooks/${id}`

const seeButton = (endpoint: Endpoint): ActionButton => ({
  label: 'See deliveries',
  method: 'GET',
  href: pageOf(endpoint),
})

interface Failing {
  response: string
  /** No attempt follows. */
  isLost: boolean
}

/** On the transaction that stores the attempt. */
export const raiseFailing = (tx: Database, endpoint: Endpoint, { response, isLost }: Failing): Promise<void> =>
  raise(tx, endpoint, {
    title: `The webhook ${endpoint.name} is failing`,
    reason: `${response} ${isLost ? 'All attempts to deliver an event failed.' : 'It is tried again for three days.'} Repair the endpoint, or change the webhook’s URL.`,
    actions: [
      isLost
        ? {
            label: 'Replay failed events',
            method: 'POST',
            href: `/api/webhooks/${endpoint.id}/replay-failed`,
            style: 'primary',
          }
        : { ...seeButton(endpoint), style: 'primary' },
      { label: 'Pause', method: 'PATCH', href: `/api/webhooks/${endpoint.id}`, body: { state: 'paused' } },
      ...(isLost ? [seeButton(endpoint)] : []),
    ],
  })

/** After a response of 410 Gone. On the transaction that disables it. */
export const raiseDisabled = (tx: Database, endpoint: Endpoint): Promise<void> =>
  raise(tx, endpoint, {
    title: `The webhook ${endpoint.name} was disabled`,
    reason: `${new URL(endpoint.url).host} responded with 410 Gone, so nothing is sent to it. Enable it, or delete it.`,
    actions: [
      {
        label: 'Enable',
        method: 'PATCH',
        href: `/api/webhooks/${endpoint.id}`,
        body: { state: 'enabled' },
        style: 'primary',
      },
      {
        label: 'Delete',
        method: 'DELETE',
        href: `/api/webhooks/${endpoint.id}`,
        confirm: `Delete the webhook ${endpoint.name} with its deliveries? This can’t be undone.`,
      },
      seeButton(endpoint),
    ],
  })

const raise = (
  tx: Database,
  endpoint: Endpoint,
  action: { title: string; reason: string; actions: ActionButton[] },
): Promise<void> =>
  raiseAction(tx, {
    ...action,
    kind: webhookKind,
    organizationId: endpoint.organizationId,
    cause: causeOf(endpoint.id),
    href: pageOf(endpoint),
  })

/** It delivers again, was changed or deleted. */
export const endFailing = (tx: Database, id: string): Promise<void> => resolveAction(tx, causeOf(id))
