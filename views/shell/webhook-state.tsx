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

const failing: Look = { state: 'failed', icon: 'triangle-alert', word: 'Failing' }
const retrying: Look = { state: 'waiting', icon: 'rotate-cw', word: 'Retrying' }

type WebhookStateProps = Pick<WebhookEndpoint, 'state'> & { isFailing: boolean }

/** Whether events are sent to a webhook, and whether its server takes them. */
export const WebhookState = ({ state, isFailing }: WebhookStateProps) => (
  <State {...(isFailing && state === 'enabled' ? failing : ofWebhook[state])} />
)

/** How far a delivery has come. */
export const DeliveryState = ({ state, attempts }: Pick<WebhookDelivery, 'state' | 'attempts'>) => (
  <State {...(state === 'waiting' && attempts > 0 ? retrying : ofDelivery[state])} />
)
