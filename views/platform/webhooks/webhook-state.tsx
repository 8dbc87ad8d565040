import type { WebhookDelivery, WebhookEndpoint } from '#lib/outgoing-webhooks/contract.ts'
import { StatusMark, type StatusLook } from '#views/ui/marks.tsx'

/** Changes with the webhook and its deliveries. */
export const webhookTopic = (id: string): string => `webhook:${id}`

const ofWebhook: Record<WebhookEndpoint['state'], StatusLook> = {
  enabled: { state: 'published', icon: 'circle-check', word: 'Enabled' },
  paused: { state: 'draft', icon: 'pause', word: 'Paused' },
  disabled: { state: 'failed', icon: 'circle-alert', word: 'Disabled' },
}

const ofDelivery: Record<WebhookDelivery['state'], StatusLook> = {
  waiting: { state: 'waiting', icon: 'hourglass', word: 'Waiting' },
  delivered: { state: 'published', icon: 'circle-check', word: 'Delivered' },
  failed: { state: 'failed', icon: 'circle-alert', word: 'Failed' },
}

const ofFailing: StatusLook = { state: 'failed', icon: 'circle-alert', word: 'Failing' }
const retrying: StatusLook = { state: 'waiting', icon: 'rotate-cw', word: 'Retrying' }

export const WebhookState = ({ webhook: { state, failing } }: { webhook: WebhookEndpoint }) => (
  <StatusMark {...(failing && state === 'enabled' ? ofFailing : ofWebhook[state])} />
)

export const DeliveryState = ({ state, attempts }: Pick<WebhookDelivery, 'state' | 'attempts'>) => (
  <StatusMark {...(state === 'waiting' && attempts > 0 ? retrying : ofDelivery[state])} />
)

/** `1,163 of 1,204` in the last 7 days; of a busy webhook among its latest 1,000. */
export const deliveredText = ({ recent: { delivered, total } }: WebhookEndpoint): string => {
  if (total === 0) return '0'
  const among = total === 1_000 ? 'the latest 1,000' : total.toLocaleString('en')
  return `${delivered.toLocaleString('en')} of ${among}`
}
