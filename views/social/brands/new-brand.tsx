import { Button } from '#views/ui/button.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { TextField, Form, ZoneField } from '#views/ui/form.tsx'

export const newBrandDialog = 'new-brand'

export const NewBrandDialog = () => (
  <Dialog id={newBrandDialog} title="New brand">
    <Form hx-post="/api/brands">
      <div class="body">
        <BrandFields prefix="new-brand" />
      </div>
      <DialogButtons dialog={newBrandDialog} submit="Create brand" />
    </Form>
  </Dialog>
)

export const FirstBrand = () => (
  <>
    <header class="page-header">
      <h1>Create your first brand</h1>
    </header>
    <div class="page" style="--measure: 36rem">
      <div class="stack">
        <p class="muted prose">
          A brand groups the accounts and posts of a company, shop or person. Its time zone is used for scheduling.
        </p>
        <Form class="stack" hx-post="/api/brands">
          <BrandFields prefix="first-brand" />
          <div class="actions">
            <Button label="Create brand" variant="primary" type="submit" />
          </div>
        </Form>
      </div>
    </div>
  </>
)

const BrandFields = ({ prefix }: { prefix: string }) => (
  <>
    <TextField label="Name" name="name" id={`${prefix}-name`} required autofocus maxlength={80} autocomplete="off" />
    <ZoneField label="Time zone" name="timeZone" id={`${prefix}-zone`} />
  </>
)
