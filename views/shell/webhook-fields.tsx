import type { WebhookEndpoint, WebhookEventType } from '#lib/outgoing-webhooks/contract.ts'
import { TextField } from '#views/ui/field.tsx'
import { Icon } from '#views/ui/icon.tsx'

interface WebhookFieldsProps {
  /** Event types that the reader can subscribe to. */
  events: WebhookEventType[]
  /** The webhook being edited; none for a new one. */
  webhook?: WebhookEndpoint
}

/** The fields of a new or edited webhook. */
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
      hint="We POST events to this URL. Respond with a 2xx status within 10 seconds."
      value={webhook?.url}
      maxlength={2000}
      autocomplete="off"
      required
    />
    <fieldset class="field">
      <legend>Events</legend>
      <div class="scopes">
        {events.map(({ type, summary }, at) => (
          <label class="check">
            <input
              type="checkbox"
              name="events[]"
              value={type}
              id={at === 0 ? 'webhook-events' : undefined}
              checked={webhook?.events.includes(type)}
            />
            <span>
              <code safe>{type}</code>
              <small class="muted" safe>
                {summary}
              </small>
            </span>
          </label>
        ))}
      </div>
      <input type="hidden" name="events[]" value="" />
      <p class="error" id="webhook-events-error">
        <Icon name="circle-alert" />
        <span />
      </p>
    </fieldset>
  </>
)
