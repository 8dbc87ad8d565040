import type { WebhookEndpoint, WebhookEventType } from '#lib/outgoing-webhooks/contract.ts'
import { Button } from '#views/ui/button.tsx'
import { Dialog } from '#views/ui/dialog.tsx'
import { SelectField } from '#views/ui/field.tsx'
import { Form } from '#views/ui/form.tsx'
import { WebhookFields } from './webhook-fields.tsx'

export const editDialog = 'edit-webhook'
export const rotateDialog = 'rotate-webhook'
export const deleteDialog = 'delete-webhook'

interface OfWebhook {
  webhook: WebhookEndpoint
}

export const EditDialog = ({ webhook, events }: OfWebhook & { events: WebhookEventType[] }) => (
  <Dialog id={editDialog} title={`Edit ${webhook.name}`}>
    <Form hx-patch={`/api/webhooks/${webhook.id}`}>
      <div class="body">
        <WebhookFields events={events} webhook={webhook} />
      </div>
      <footer>
        <Button label="Cancel" variant="ghost" commandfor={editDialog} command="close" />
        <Button label="Save" variant="primary" type="submit" />
      </footer>
    </Form>
  </Dialog>
)

const overlaps = [
  { value: '0', label: 'Ends at once' },
  { value: '1', label: 'Signs too for 1 more hour' },
  { value: '24', label: 'Signs too for 1 more day' },
  { value: '168', label: 'Signs too for 7 more days' },
]

/** Asks how long the former secret signs beside the new one, which it then shows. */
export const RotateDialog = ({ webhook }: OfWebhook) => (
  <Dialog id={rotateDialog} title="Rotate the signing secret?">
    <Form hx-post={`/api/webhooks/${webhook.id}/rotate-secret`} hx-target="this" hx-swap="outerHTML">
      <div class="body">
        <p>Requests are signed by a new secret. Give it to your server before the former one ends.</p>
        <SelectField label="The former secret" name="overlapHours" options={overlaps} value="24" />
      </div>
      <footer>
        <Button label="Cancel" variant="ghost" commandfor={rotateDialog} command="close" />
        <Button label="Rotate" variant="primary" type="submit" />
      </footer>
    </Form>
  </Dialog>
)

export const DeleteDialog = ({ webhook }: OfWebhook) => (
  <Dialog id={deleteDialog} title={`Delete ${webhook.name}?`}>
    <Form hx-delete={`/api/webhooks/${webhook.id}`}>
      <div class="body">
        <p>Nothing more is sent to its address, and the log of its deliveries is deleted. This can’t be undone.</p>
      </div>
      <footer>
        <Button label="Cancel" variant="ghost" commandfor={deleteDialog} command="close" autofocus />
        <Button label="Delete" variant="danger" type="submit" />
      </footer>
    </Form>
  </Dialog>
)
