import type { Children } from '@kitajs/html'
import type { Brand } from '#social/types'
import { Button } from '#views/ui/button.tsx'
import { Field, Form } from '#views/ui/form.tsx'
import { Avatar } from '#views/ui/marks.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'

interface OfBrand {
  brand: Pick<Brand, 'id' | 'name' | 'logoUrl'>
}

const uploading = 'logo-upload'
const removing = 'logo-removal'

/** The logo with what is known of it, and the buttons that change it. */
export const LogoRow = ({ brand, children }: OfBrand & { children?: Children }) => (
  <>
    <Avatar name={brand.name} seed={brand.id} image={brand.logoUrl} size="xl" shape="square" />
    <span class="grow">
      Logo
      <small>{brand.logoUrl ? 'Shown with its name' : 'None. Its initials are shown.'}</small>
    </span>
    {children}
  </>
)

/** Their forms are outside of the one that they are in. */
export const LogoButtons = ({ brand: { logoUrl } }: OfBrand) => (
  <>
    {logoUrl ? (
      <Button label="Remove" size="sm" variant="ghost" type="submit" form={removing} aria-label="Remove logo" />
    ) : null}
    <Button
      label={logoUrl ? 'Replace' : 'Upload'}
      size="sm"
      commandfor={uploading}
      command="show-modal"
      aria-label={logoUrl ? 'Replace logo' : 'Upload logo'}
    />
  </>
)

const inSettings = { 'hx-target': '#brand-settings', 'hx-swap': 'outerMorph' } as const

export const LogoForms = ({ brand: { id, logoUrl } }: OfBrand) => (
  <>
    {logoUrl ? (
      <Form id={removing} hx-delete={`/api/brands/${id}/logo`} {...inSettings}>
        <></>
      </Form>
    ) : null}
    <Dialog id={uploading} title={logoUrl ? 'Replace logo' : 'Upload logo'}>
      <Form
        hx-put={`/api/brands/${id}/logo`}
        hx-encoding="multipart/form-data"
        enctype="multipart/form-data"
        {...inSettings}
      >
        <div class="body">
          <Field label="Image" id="logo-file" hint="PNG, JPEG, WebP or GIF of up to 5 MB. Square images fit best.">
            <input
              class="input"
              type="file"
              id="logo-file"
              name="file"
              accept="image/png,image/jpeg,image/webp,image/gif"
              aria-describedby="logo-file-hint logo-file-error"
              required
            />
          </Field>
        </div>
        <DialogButtons dialog={uploading} submit="Upload" />
      </Form>
    </Dialog>
  </>
)
