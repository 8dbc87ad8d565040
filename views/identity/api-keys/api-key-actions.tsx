import type { ApiKeyDetail } from '#identity/types'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { SelectField, Form } from '#views/ui/form.tsx'

interface OfKey {
  apiKey: ApiKeyDetail
}

export const rotateDialog = ({ id }: ApiKeyDetail): string => `rotate-${id}`
export const reduceDialog = ({ id }: ApiKeyDetail): string => `reduce-${id}`
export const revokeDialog = ({ id }: ApiKeyDetail): string => `revoke-${id}`

const overlaps = [
  { value: '0', label: 'Expires immediately' },
  { value: '1', label: 'Expires in 1 hour' },
  { value: '24', label: 'Expires in 1 day' },
  { value: '168', label: 'Expires in 7 days' },
]

interface NextKeyProps extends OfKey {
  id: string
  title: string
  text: string
  /** All when not set. */
  keep?: string[]
}

const NextKeyDialog = ({ apiKey, id, title, text, keep = [] }: NextKeyProps) => (
  <Dialog id={id} title={title}>
    <Form hx-post={`/api/api-keys/${apiKey.id}/rotate`} hx-target="this" hx-swap="outerHTML">
      <div class="body">
        <p safe>{text}</p>
        {keep.map((scope) => (
          <input type="hidden" name="scopes[]" value={scope} />
        ))}
        <SelectField label="Old key" name="overlapHours" id={`${id}-overlap`} options={overlaps} value="24" />
      </div>
      <DialogButtons dialog={id} submit="Rotate" />
    </Form>
  </Dialog>
)

export const RotateDialog = ({ apiKey }: OfKey) => (
  <NextKeyDialog
    apiKey={apiKey}
    id={rotateDialog(apiKey)}
    title={`Rotate ${apiKey.name}?`}
    text="Creates a replacement with the same scopes, owned by you."
  />
)

export const ReduceDialog = ({ apiKey, removable }: OfKey & { removable: string[] }) => (
  <NextKeyDialog
    apiKey={apiKey}
    id={reduceDialog(apiKey)}
    title={`Rotate ${apiKey.name} with fewer scopes?`}
    text={`Creates a replacement without ${removable.join(', ')}, owned by you.`}
    keep={apiKey.scopes.filter((scope) => !removable.includes(scope))}
  />
)

export const RevokeDialog = ({ apiKey, target = 'closest tr' }: OfKey & { target?: string }) => (
  <Dialog id={revokeDialog(apiKey)} title={`Revoke ${apiKey.name}?`}>
    <Form hx-delete={`/api/api-keys/${apiKey.id}`} hx-target={target} hx-swap="outerMorph">
      <div class="body">
        <p>Requests with this key will fail immediately. This can’t be undone.</p>
      </div>
      <DialogButtons dialog={revokeDialog(apiKey)} submit="Revoke" danger focusCancel />
    </Form>
  </Dialog>
)
