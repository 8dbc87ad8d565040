import type { WebhookEndpoint, WebhookEventType } from '#lib/outgoing-webhooks/contract.ts'
import { Button } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { liveAt } from '#views/ui/live.ts'
import { Time } from '#views/ui/time.tsx'
import { DeleteDialog, deleteDialog, EditDialog, editDialog, RotateDialog, rotateDialog } from './webhook-dialogs.tsx'
import { WebhookState, webhookTopic } from './webhook-state.tsx'

interface WebhookSettingsProps {
  webhook: WebhookEndpoint
  events: WebhookEventType[]
}

export const WebhookSettings = ({ webhook, events }: WebhookSettingsProps) => (
  <div class="section" id="webhook-settings" {...liveAt(`/api/webhooks/${webhook.id}`, webhookTopic(webhook.id))}>
    <nav class="crumbs" aria-label="Breadcrumb">
      <a href="/settings/webhooks">Webhooks</a>
    </nav>
    <WebhookDetails webhook={webhook} />
    <EditDialog webhook={webhook} events={events} />
    <RotateDialog webhook={webhook} />
    <DeleteDialog webhook={webhook} />
  </div>
)

/** A webhook's settings and state. */
const WebhookDetails = ({ webhook }: { webhook: WebhookEndpoint }) => {
  const { id, name, url, state, previousSecretEndsAt } = webhook
  const at = `/api/webhooks/${id}`
  return (
    <section class="section" aria-labelledby="webhook">
      <header>
        <h1 id="webhook" class="wrap-anywhere" safe>
          {name}
        </h1>
        {state === 'enabled' ? (
          <Button
            id="send-test"
            label="Send test event"
            icon="send"
            hx-post={`${at}/test`}
            hx-swap="none"
            data-refresh
          />
        ) : null}
      </header>
      {state === 'disabled' ? (
        <Notice
          tone="danger"
          title="This webhook is disabled"
          text="Your server responded with 410 Gone. Fix the URL or your server, then enable the webhook."
        />
      ) : null}
      <dl class="facts">
        <dt>URL</dt>
        <dd class="wrap-anywhere" safe>
          {url}
        </dd>
        <dt>State</dt>
        <dd>
          <WebhookState webhook={webhook} />
        </dd>
        <dt>Events</dt>
        <dd class="wrap-anywhere" safe>
          {webhook.events.join(', ')}
        </dd>
        <dt>Secret</dt>
        <dd>
          {previousSecretEndsAt ? (
            <>
              Previous secret valid until <Time at={previousSecretEndsAt} />
            </>
          ) : (
            'Shown once, when created'
          )}
        </dd>
      </dl>
      <div class="actions">
        <Button label="Edit" icon="pen-line" commandfor={editDialog} command="show-modal" />
        {state === 'enabled' ? (
          <Button label="Pause" icon="pause" {...sets(at, 'paused')} />
        ) : (
          <Button label="Enable" icon="circle-check" variant="primary" {...sets(at, 'enabled')} />
        )}
        <Button label="Rotate secret" icon="rotate-cw" commandfor={rotateDialog} command="show-modal" />
        <Button label="Delete" icon="trash-2" variant="quiet-danger" commandfor={deleteDialog} command="show-modal" />
      </div>
    </section>
  )
}

const sets = (at: string, state: 'enabled' | 'paused') =>
  ({
    'hx-patch': at,
    'hx-vals': JSON.stringify({ state }),
    'hx-target': '#webhook-settings',
    'hx-swap': 'outerMorph',
    id: 'switch-state',
  }) as const
