import type { Children } from '@kitajs/html'
import { Button } from './button.tsx'
import { Field, Form } from './form.tsx'
import { Avatar } from './marks.tsx'
import { Dialog, DialogButtons } from './overlays.tsx'

interface Owner {
  id: string
  name: string
  logoUrl: string | null
}

const uploading = 'logo-upload'
const removing = 'logo-removal'

interface LogoRowProps {
  of: Owner
  /** What is known of a logo that exists. */
  text: string
  children?: Children
}

/** The logo with what is known of it, and the buttons that change it. */
export const LogoRow = ({ of: { id, name, logoUrl }, text, children }: LogoRowProps) => (
  <>
    <Avatar name={name} seed={id} image={logoUrl} size="xl" shape="square" />
    <span class="grow">
      Logo
      <small>{logoUrl ? text : 'None. Its initials are shown.'}</small>
    </span>
    {children}
  </>
)

/** Their forms are outside of the one that they are in. */
export const LogoButtons = ({ of: { logoUrl } }: { of: Owner }) => (
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

interface LogoFormsProps {
  of: Owner
  /** Takes uploads and removals. */
  action: `/api/${string}`
  /** Of the section that is drawn again. */
  sectionId: string
}

export function LogoForms({ of: { logoUrl }, action, sectionId }: LogoFormsProps) {
  const inSection = { 'hx-target': `#${sectionId}`, 'hx-swap': 'outerMorph' } as const
  return (
    <>
      {logoUrl ? (
        <Form id={removing} hx-delete={action} {...inSection}>
          <></>
        </Form>
      ) : null}
      <Dialog id={uploading} title={logoUrl ? 'Replace logo' : 'Upload logo'}>
        <Form hx-put={action} hx-encoding="multipart/form-data" enctype="multipart/form-data" {...inSection}>
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
}
