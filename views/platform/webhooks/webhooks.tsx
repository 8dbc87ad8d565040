import type { WebhookEndpoint, WebhookEventType } from '#lib/outgoing-webhooks/contract.ts'
import { Button } from '#views/ui/button.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { Form } from '#views/ui/form.tsx'
import { WebhookFields } from './webhook-fields.tsx'
import { WebhookState } from './webhook-state.tsx'

export interface WebhooksProps {
  webhooks: WebhookEndpoint[]
  events: WebhookEventType[]
}

const newDialog = 'new-webhook'

export const Webhooks = ({ webhooks, events }: WebhooksProps) => (
  <div class="page" style="--measure: 60rem">
    <section class="section" aria-labelledby="webhooks">
      <header>
        <h1 id="webhooks">Webhooks</h1>
        {webhooks.length > 0 ? <AddButton /> : null}
      </header>
      <p class="muted prose">Send events to your server as they happen.</p>
      <WebhookList webhooks={webhooks} />
    </section>
    <Dialog id={newDialog} title="New webhook">
      <Form hx-post="/api/webhooks" hx-target="this" hx-swap="outerHTML">
        <div class="body">
          <WebhookFields events={events} />
        </div>
        <DialogButtons dialog={newDialog} submit="Add webhook" />
      </Form>
    </Dialog>
  </div>
)

const AddButton = () => (
  <Button label="Add webhook" icon="plus" variant="primary" commandfor={newDialog} command="show-modal" />
)

const None = () => (
  <Empty icon="send" title="No webhooks yet" text="Get notified when a post is published or fails." heading="h2">
    <AddButton />
  </Empty>
)

export const WebhookList = ({ webhooks }: Pick<WebhooksProps, 'webhooks'>) =>
  webhooks.length === 0 ? (
    <None />
  ) : (
    <ul class="list" data-links aria-label="Webhooks">
      {webhooks.map((webhook) => (
        <li id={`webhook-${webhook.id}`}>
          <span class="grow">
            <a class="row-link wrap-anywhere" href={`/settings/webhooks/${webhook.id}`} safe>
              {webhook.name}
            </a>
            <small class="wrap-anywhere" safe>
              {webhook.url}
            </small>
            <small class="muted wrap-anywhere" safe>
              {webhook.events.join(', ')}
            </small>
          </span>
          <WebhookState webhook={webhook} />
        </li>
      ))}
    </ul>
  )
