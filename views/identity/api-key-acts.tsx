import type { ApiKey } from '#identity'
import { Button } from '#views/ui/button.tsx'
import { Dialog } from '#views/ui/dialog.tsx'
import { SelectField } from '#views/ui/field.tsx'
import { Form } from '#views/ui/form.tsx'

interface OfKey {
  apiKey: ApiKey
}

export const rotateDialog = ({ id }: ApiKey): string => `rotate-${id}`
export const revokeDialog = ({ id }: ApiKey): string => `revoke-${id}`

const overlaps = [
  { value: '0', label: 'Ends at once' },
  { value: '1', label: 'Works for 1 more hour' },
  { value: '24', label: 'Works for 1 more day' },
  { value: '168', label: 'Works for 7 more days' },
]

/** Asks how long the old key goes on beside the new one, which it then shows. */
export const RotateDialog = ({ apiKey }: OfKey) => (
  <Dialog id={rotateDialog(apiKey)} title={`Rotate ${apiKey.name}?`}>
    <Form hx-post={`/api/api-keys/${apiKey.id}/rotate`} hx-target="this" hx-swap="outerHTML">
      <div class="body">
        <p>A new key with the same scopes takes its place, and you answer for it.</p>
        <SelectField
          label="The old key"
          name="overlapHours"
          id={`${rotateDialog(apiKey)}-overlap`}
          options={overlaps}
          value="24"
        />
      </div>
      <footer>
        <Button label="Cancel" variant="ghost" commandfor={rotateDialog(apiKey)} command="close" />
        <Button label="Rotate" variant="primary" type="submit" />
      </footer>
    </Form>
  </Dialog>
)

/** Asks before a key ends. */
export const RevokeDialog = ({ apiKey }: OfKey) => (
  <Dialog id={revokeDialog(apiKey)} title={`Revoke ${apiKey.name}?`}>
    <Form hx-delete={`/api/api-keys/${apiKey.id}`}>
      <div class="body">
        <p>What uses it is refused from the next call on. This can’t be undone.</p>
      </div>
      <footer>
        <Button label="Keep" variant="ghost" commandfor={revokeDialog(apiKey)} command="close" autofocus />
        <Button label="Revoke" variant="danger" type="submit" />
      </footer>
    </Form>
  </Dialog>
)
