import type { WebhookEndpoint, WebhookEventType } from '#lib/outgoing-webhooks/contract.ts'
import { Button } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { liveAt } from '#views/ui/live.ts'
import { Time } from '#views/ui/time.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { MenuItem, RowMenu } from '#views/ui/overlays.tsx'
import {
  countFailed,
  DeleteDialog,
  deleteDialog,
  EditDialog,
  editDialog,
  ReplayDialog,
  replayDialog,
  RotateDialog,
  rotateDialog,
} from './webhook-dialogs.tsx'
import { deliveredText, WebhookState, webhookTopic } from './webhook-state.tsx'

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
      <Actions webhook={webhook} />
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
    {canReplay(webhook) ? <ReplayDialog webhook={webhook} /> : null}
  </div>
)

const canReplay = ({ state, failed }: WebhookEndpoint): boolean => state === 'enabled' && failed > 0

const Actions = ({ webhook }: Pick<WebhookSettingsProps, 'webhook'>) => {
  const at = `/api/webhooks/${webhook.id}`
  const isEnabled = webhook.state === 'enabled'
  return (
    <div class="actions">
      {canReplay(webhook) ? (
        <Button
          label={`Replay ${countFailed(webhook)} failed`}
          icon="rotate-cw"
          commandfor={replayDialog}
          command="show-modal"
        />
      ) : null}
      {isEnabled ? null : <Button label="Enable" icon="circle-check" variant="primary" {...sets(at, 'enabled')} />}
      <RowMenu id="webhook-menu" label={`More about ${webhook.name}`}>
        {isEnabled ? (
          <MenuItem
            id="send-test"
            label="Send test event"
            icon="send"
            hx-post={`${at}/test`}
            hx-swap="none"
            data-refresh
            {...closing}
          />
        ) : null}
        <MenuItem label="Edit" icon="pen-line" commandfor={editDialog} command="show-modal" />
        {isEnabled ? <MenuItem label="Pause" icon="pause" {...sets(at, 'paused')} {...closing} /> : null}
        <MenuItem label="Rotate secret" icon="rotate-cw" commandfor={rotateDialog} command="show-modal" />
        <hr />
        <MenuItem label="Delete" icon="trash-2" danger commandfor={deleteDialog} command="show-modal" />
      </RowMenu>
    </div>
  )
}

const closing = { popovertarget: 'webhook-menu', popovertargetaction: 'hide' } as const

const Card = ({ webhook, events }: WebhookSettingsProps) => {
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
          <dt>Delivered, 7 days</dt>
          <dd safe>{deliveredText(webhook)}</dd>
          <dt>Created</dt>
          <dd>
            <Time at={webhook.createdAt} form="longDay" />
          </dd>
        </dl>
      </div>
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
