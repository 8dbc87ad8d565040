import type { Children } from '@kitajs/html'
import type { OrganizationDetail } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Field, Form } from '#views/ui/form.tsx'
import { Avatar } from '#views/ui/marks.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'

interface OfOrganization {
  organization: Pick<OrganizationDetail, 'id' | 'name' | 'logoUrl'>
}

const uploading = 'logo-upload'
const removing = 'logo-removal'

export const LogoRow = ({ organization, children }: OfOrganization & { children?: Children }) => (
  <li id="organization-logo">
    <Avatar name={organization.name} seed={organization.id} image={organization.logoUrl} size="xl" shape="square" />
    <span class="grow">
      Logo
      <small>{organization.logoUrl ? 'Shown to its members' : 'None. Its initials are shown.'}</small>
    </span>
    {children}
  </li>
)

/** Their forms are outside of the one that they are in. */
export const LogoButtons = ({ organization: { logoUrl } }: OfOrganization) => (
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

const inSection = { 'hx-target': '#organization-section', 'hx-swap': 'outerMorph' } as const

export const LogoForms = ({ organization: { id, logoUrl } }: OfOrganization) => (
  <>
    {logoUrl ? (
      <Form id={removing} hx-delete={`/api/organizations/${id}/logo`} {...inSection}>
        <></>
      </Form>
    ) : null}
    <Dialog id={uploading} title={logoUrl ? 'Replace logo' : 'Upload logo'}>
      <Form
        hx-put={`/api/organizations/${id}/logo`}
        hx-encoding="multipart/form-data"
        enctype="multipart/form-data"
        {...inSection}
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
