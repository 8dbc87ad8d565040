import type { WebhookEndpoint, WebhookEventType } from '#lib/outgoing-webhooks/contract.ts'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { SelectField, Form } from '#views/ui/form.tsx'
import { WebhookFields } from './webhook-fields.tsx'

export const editDialog = 'edit-webhook'
export const rotateDialog = 'rotate-webhook'
export const deleteDialog = 'delete-webhook'
export const replayDialog = 'replay-failed'

interface OfWebhook {
  webhook: WebhookEndpoint
}

export const EditDialog = ({ webhook, events }: OfWebhook & { events: WebhookEventType[] }) => (
  <Dialog id={editDialog} title={`Edit ${webhook.name}`}>
    <Form hx-patch={`/api/webhooks/${webhook.id}`} hx-target="#webhook-settings" hx-swap="outerMorph">
      <div class="body">
        <input type="hidden" name="version" value={String(webhook.version)} />
        <WebhookFields events={events} webhook={webhook} />
      </div>
      <DialogButtons dialog={editDialog} submit="Save" />
    </Form>
  </Dialog>
)

const overlaps = [
  { value: '0', label: 'Expires immediately' },
  { value: '1', label: 'Expires in 1 hour' },
  { value: '24', label: 'Expires in 1 day' },
  { value: '168', label: 'Expires in 7 days' },
]

export const RotateDialog = ({ webhook }: OfWebhook) => (
  <Dialog id={rotateDialog} title="Rotate the signing secret?">
    <Form hx-post={`/api/webhooks/${webhook.id}/rotate-secret`} hx-target="this" hx-swap="outerHTML">
      <div class="body">{webhook.previousSecretEndsAt ? <RotateAtOnce /> : <RotateOver />}</div>
      <DialogButtons dialog={rotateDialog} submit="Rotate" />
    </Form>
  </Dialog>
)

const RotateOver = () => (
  <>
    <p>New events are signed with both secrets until the old one expires. Update your server before then.</p>
    <SelectField label="Old secret" name="overlapHours" options={overlaps} value="24" autofocus />
  </>
)

/** At most two secrets can sign, so a second rotation ends the oldest at once. */
const RotateAtOnce = () => (
  <>
    <p>
      The old secret of the last rotation is still valid. If you rotate again now, both earlier secrets expire
      immediately.
    </p>
    <input type="hidden" name="overlapHours" value="0" />
  </>
)

export const DeleteDialog = ({ webhook }: OfWebhook) => (
  <Dialog id={deleteDialog} title={`Delete ${webhook.name}?`}>
    <Form hx-delete={`/api/webhooks/${webhook.id}`}>
      <div class="body">
        <p>Events stop immediately and its delivery log is deleted. This can’t be undone.</p>
      </div>
      <DialogButtons dialog={deleteDialog} submit="Delete" danger focusCancel />
    </Form>
  </Dialog>
)

export const countFailed = ({ failed }: Pick<WebhookEndpoint, 'failed'>): string =>
  failed > 1_000 ? 'more than 1,000' : failed.toLocaleString('en')

export const ReplayDialog = ({ webhook }: OfWebhook) => (
  <Dialog
    id={replayDialog}
    title={`Replay ${countFailed(webhook)} failed ${webhook.failed === 1 ? 'delivery' : 'deliveries'}?`}
  >
    <Form
      hx-post={`/api/webhooks/${webhook.id}/replay-failed`}
      hx-target="#delivery-list"
      hx-swap="outerMorph"
      data-refresh
    >
      <div class="body">
        <p>
          Each event is sent again with its original ID, and retried if it fails.
          {webhook.failed > 500 ? ' The oldest 500 are sent now; replay again for the rest.' : ''}
        </p>
      </div>
      <DialogButtons dialog={replayDialog} submit="Replay" focusCancel />
    </Form>
  </Dialog>
)
