import type { Brand, TransferTarget } from '#social/types'
import { Avatar } from '#views/ui/marks.tsx'
import { Button } from '#views/ui/button.tsx'
import { TextField, Form, ZoneField } from '#views/ui/form.tsx'
import { BrandTransfer } from './brand-transfer.tsx'

export interface BrandPageProps {
  brand: Brand
  targets: TransferTarget[]
}

export const BrandPage = ({ brand, targets }: BrandPageProps) => (
  <>
    <header class="page-header">
      <nav class="crumbs" aria-label="Breadcrumb">
        <a href="/workspace/brands">Brands</a>
      </nav>
      <Avatar name={brand.name} seed={brand.id} shape="square" />
      <h1 class="wrap-anywhere" safe>
        {brand.name}
      </h1>
    </header>
    <div class="page" style="--measure: 36rem">
      <div class="stack" style="--gap: var(--space-8)">
        <BrandSettings brand={brand} />
        {brand.can.transfer ? <BrandTransfer brand={brand} targets={targets} /> : null}
      </div>
    </div>
  </>
)

export const BrandSettings = ({ brand }: { brand: Brand }) => (
  <section class="section" id="brand-settings" aria-labelledby="settings">
    <h2 id="settings">Settings</h2>
    {brand.can.update ? <Edit brand={brand} /> : <Facts brand={brand} />}
  </section>
)

const Edit = ({ brand }: { brand: Brand }) => (
  <Form class="stack" hx-put={`/api/brands/${brand.id}`} hx-target="#brand-settings" hx-swap="outerMorph">
    <TextField label="Name" name="name" value={brand.name} autocomplete="off" maxlength={80} required />
    <TextField
      label="Slug"
      name="slug"
      value={brand.slug}
      hint="Used in the API. Lowercase letters, numbers and hyphens."
      pattern="[a-z0-9]([a-z0-9\-]{0,46}[a-z0-9])?"
      maxlength={48}
      autocomplete="off"
      autocapitalize="none"
      spellcheck="false"
      required
    />
    <ZoneField
      label="Time zone"
      name="timeZone"
      value={brand.timeZone}
      hint="Used to show times. Changing it doesn’t reschedule posts."
    />
    <div class="actions">
      <Button label="Save" variant="primary" type="submit" />
    </div>
  </Form>
)

const Facts = ({ brand }: { brand: Brand }) => (
  <>
    <dl class="facts">
      <dt>Name</dt>
      <dd class="wrap-anywhere" safe>
        {brand.name}
      </dd>
      <dt>Slug</dt>
      <dd class="mono wrap-anywhere" safe>
        {brand.slug}
      </dd>
      <dt>Time zone</dt>
      <dd safe>{brand.timeZone}</dd>
    </dl>
    <p class="muted">Only admins can change this.</p>
  </>
)
