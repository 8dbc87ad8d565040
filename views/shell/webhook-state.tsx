import type { WebhookDelivery, WebhookEndpoint } from '#lib/outgoing-webhooks/contract.ts'
import { Icon, type IconName } from '#views/ui/icon.tsx'

interface Look {
  /** The name of its color. */
  state: 'published' | 'waiting' | 'failed' | 'draft'
  icon: IconName
  word: string
}

const ofWebhook: Record<WebhookEndpoint['state'], Look> = {
  enabled: { state: 'published', icon: 'circle-check', word: 'Enabled' },
  paused: { state: 'draft', icon: 'pause', word: 'Paused' },
  disabled: { state: 'failed', icon: 'circle-alert', word: 'Disabled' },
}

const ofDelivery: Record<WebhookDelivery['state'], Look> = {
  waiting: { state: 'waiting', icon: 'hourglass', word: 'Waiting' },
  delivered: { state: 'published', icon: 'circle-check', word: 'Delivered' },
  failed: { state: 'failed', icon: 'circle-alert', word: 'Failed' },
}

const State = ({ state, icon, word }: Look) => (
  <span class="status" data-state={state}>
    <Icon name={icon} />
    <span safe>{word}</span>
  </span>
)

/** Whether events are sent to a webhook. */
export const WebhookState = ({ state }: Pick<WebhookEndpoint, 'state'>) => <State {...ofWebhook[state]} />

/** How far a delivery has come. */
export const DeliveryState = ({ state }: Pick<WebhookDelivery, 'state'>) => <State {...ofDelivery[state]} />
