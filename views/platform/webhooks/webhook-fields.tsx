import type { WebhookEndpoint, WebhookEventType } from '#lib/outgoing-webhooks/contract.ts'
import { CheckList, TextField } from '#views/ui/form.tsx'

interface WebhookFieldsProps {
  events: WebhookEventType[]
  webhook?: WebhookEndpoint
}

export const WebhookFields = ({ events, webhook }: WebhookFieldsProps) => (
  <>
    <TextField
      label="Name"
      name="name"
      id="webhook-name"
      value={webhook?.name}
      maxlength={100}
      autocomplete="off"
      required
      autofocus
    />
    <TextField
      label="URL"
      name="url"
      id="webhook-url"
      type="url"
      hint="We send events to this URL as POST requests. Respond with a 2xx status within 10 seconds."
      value={webhook?.url}
      maxlength={2000}
      autocomplete="off"
      required
    />
    <EventChoices events={events} checked={webhook?.events} />
  </>
)

interface EventChoicesProps {
  events: WebhookEventType[]
  checked?: string[]
}

export const EventChoices = ({ events, checked }: EventChoicesProps) => {
  const offered = events.filter(({ can }) => can.subscribe)
  if (offered.length === 0) return <></>
  return (
    <CheckList
      legend="Events"
      name="events"
      id="webhook-events"
      choices={offered.map(({ type, summary }) => ({
        value: type,
        description: summary,
        checked: checked?.includes(type),
      }))}
      sendsNone
    />
  )
}
