import type { WebhookEndpoint, WebhookEventType } from '#lib/outgoing-webhooks/contract.ts'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Empty, Notice } from '#views/ui/feedback.tsx'
import { Form } from '#views/ui/form.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { Time } from '#views/ui/time.tsx'
import { WebhookFields } from './webhook-fields.tsx'
import { deliveredText, WebhookState } from './webhook-state.tsx'

export interface WebhooksProps {
  webhooks: WebhookEndpoint[]
  events: WebhookEventType[]
}

const newDialog = 'new-webhook'

export const Webhooks = ({ webhooks, events }: WebhooksProps) => (
  <>
    <header class="page-header">
      <h1>Webhooks</h1>
      {webhooks.length > 0 ? (
        <div class="actions">
          <AddButton />
        </div>
      ) : null}
    </header>
    <div class="page stack" style="--gap: var(--space-5)">
      <WebhookList webhooks={webhooks} />
    </div>
    <Dialog id={newDialog} title="New webhook">
      <Form hx-post="/api/webhooks" hx-target="this" hx-swap="outerHTML">
        <div class="body">
          <WebhookFields events={events} />
        </div>
        <DialogButtons dialog={newDialog} submit="Add webhook" />
      </Form>
    </Dialog>
  </>
)

const AddButton = () => (
  <Button label="Add webhook" icon="plus" variant="primary" commandfor={newDialog} command="show-modal" />
)

const None = () => (
  <Empty icon="webhook" title="No webhooks yet" text="Get notified when a post is published or fails." heading="h2">
    <AddButton />
  </Empty>
)

const hrefOf = ({ id }: WebhookEndpoint): string => `/settings/webhooks/${id}`

export const WebhookList = ({ webhooks }: Pick<WebhooksProps, 'webhooks'>) =>
  webhooks.length === 0 ? (
    <None />
  ) : (
    <>
      <>
        {webhooks
          .filter(({ failing, state }) => failing && state === 'enabled')
          .map((webhook) => (
            <Notice
              tone="danger"
              title={`${webhook.name} doesn’t accept events`}
              text="Its latest delivery failed. Deliveries are retried, and you can replay those that failed for good."
            >
              <div class="actions">
                <ButtonLink label="Show failures" size="sm" href={`${hrefOf(webhook)}?state=failed`} />
              </div>
            </Notice>
          ))}
      </>
      <div class="bleed">
        <table class="table hooks" data-list data-lines="2">
          <caption class="visually-hidden">Webhooks</caption>
          <thead>
            <tr>
              <th scope="col">URL</th>
              <th scope="col" class="c-state">
                State
              </th>
              <th scope="col" class="c-events">
                Events
              </th>
              <th scope="col" data-num>
                Delivered, 7 days
              </th>
              <th scope="col" class="c-last">
                Last
              </th>
            </tr>
          </thead>
          <tbody>
            {webhooks.map((webhook) => (
              <Row webhook={webhook} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  )

const Row = ({ webhook }: { webhook: WebhookEndpoint }) => (
  <tr id={`webhook-${webhook.id}`}>
    <td data-at="title">
      <a class="row-link wrap-anywhere" href={hrefOf(webhook)} safe>
        {webhook.url}
      </a>
      <small class="wrap-anywhere" safe>
        {webhook.name}
      </small>
    </td>
    <td data-at="sub">
      <WebhookState webhook={webhook} />
      <small class="narrow-only" safe>
        {`${deliveredText(webhook)} delivered`}
      </small>
    </td>
    <td class="wide-only muted wrap-anywhere" safe>
      {webhook.events.join(', ')}
    </td>
    <td class="wide-only" data-num safe>
      {deliveredText(webhook)}
    </td>
    <td class="wide-only muted">{webhook.lastDeliveryAt ? <Time at={webhook.lastDeliveryAt} form="moment" /> : '–'}</td>
  </tr>
)
