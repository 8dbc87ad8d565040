import type { WebhookEndpoint, WebhookEventType } from '#lib/outgoing-webhooks/contract.ts'
import { Button } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { liveAt } from '#views/ui/live.ts'
import { Time } from '#views/ui/time.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { DeleteDialog, deleteDialog, EditDialog, editDialog, RotateDialog, rotateDialog } from './webhook-dialogs.tsx'
import { WebhookState, webhookTopic } from './webhook-state.tsx'

interface WebhookSettingsProps {
  webhook: WebhookEndpoint
  events: WebhookEventType[]
}

/** The header of the page and a card, with the dialogs that change the webhook. */
export const WebhookSettings = ({ webhook, events }: WebhookSettingsProps) => (
  <div id="webhook-settings" {...liveAt(`/api/webhooks/${webhook.id}`, webhookTopic(webhook.id))}>
    <PageHeader
      title={webhook.name}
      id="webhook"
      crumbs={[{ href: '/settings/webhooks', label: 'Webhooks' }]}
      status={<WebhookState webhook={webhook} />}
    >
      {webhook.state === 'enabled' ? (
        <div class="actions">
          <Button
            id="send-test"
            label="Send test event"
            icon="send"
            hx-post={`/api/webhooks/${webhook.id}/test`}
            hx-swap="none"
            data-refresh
          />
        </div>
      ) : null}
    </PageHeader>
    <div class="page stack" style="--measure: none">
      {webhook.state === 'disabled' ? (
        <Notice
          tone="danger"
          title="This webhook is disabled"
          text="Your server responded with 410 Gone. Fix the URL or your server, then enable the webhook."
        />
      ) : null}
      <Card webhook={webhook} events={events} />
    </div>
    <EditDialog webhook={webhook} events={events} />
    <RotateDialog webhook={webhook} />
    <DeleteDialog webhook={webhook} />
  </div>
)

const Card = ({ webhook, events }: WebhookSettingsProps) => {
  const at = `/api/webhooks/${webhook.id}`
  return (
    <div class="card">
      <header>
        <code class="wrap-anywhere" safe>
          {webhook.url}
        </code>
      </header>
      <div class="body">
        <dl class="facts">
          <dt>Events</dt>
          <dd class="wrap-anywhere">
            <span safe>{webhook.events.join(', ')}</span>
            <small class="muted" safe>{` ${webhook.events.length} of ${events.length}`}</small>
          </dd>
          <dt>Signing secret</dt>
          <dd>
            {webhook.previousSecretEndsAt ? (
              <>
                The previous one is valid until <Time at={webhook.previousSecretEndsAt} />
              </>
            ) : (
              'Shown once, when created'
            )}
          </dd>
          <dt>Created</dt>
          <dd>
            <Time at={webhook.createdAt} form="longDay" />
          </dd>
        </dl>
      </div>
      <footer>
        <Button label="Edit" icon="pen-line" size="sm" commandfor={editDialog} command="show-modal" />
        {webhook.state === 'enabled' ? (
          <Button label="Pause" icon="pause" size="sm" {...sets(at, 'paused')} />
        ) : (
          <Button label="Enable" icon="circle-check" size="sm" variant="primary" {...sets(at, 'enabled')} />
        )}
        <Button label="Rotate secret" icon="rotate-cw" size="sm" commandfor={rotateDialog} command="show-modal" />
        <Button
          label="Delete"
          icon="trash-2"
          size="sm"
          variant="quiet-danger"
          commandfor={deleteDialog}
          command="show-modal"
        />
      </footer>
    </div>
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
