import type { Children } from '@kitajs/html'
import type { Brand, TransferTarget } from '#social/types'
import { Form, SaveFooter, ZoneChoice } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { LogoButtons, LogoForms, LogoRow } from '#views/ui/logo.tsx'
import { Avatar } from '#views/ui/marks.tsx'
import { Setting, SettingsSection } from '#views/ui/settings.tsx'
import { BrandColors } from './brand-colors.tsx'
import { formatCount } from './brand-counts.ts'
import { BrandHashtags } from './brand-hashtags.tsx'
import { BrandVoice } from './brand-voice.tsx'
import { BrandTransfer } from './brand-transfer.tsx'
import { brandHref, ChangedBrandInFrame } from './brand-switcher.tsx'
import { QueueSlots } from './queue-slots.tsx'
import { ReviewPolicy } from './review-policy.tsx'

export interface BrandPageProps {
  brand: Brand
  targets: TransferTarget[]
}

export const BrandPage = ({ brand, targets }: BrandPageProps) => (
  <>
    <header class="page-header">
      <nav class="crumbs" aria-label="Breadcrumb">
        <a href="/workspace/brands">Brands</a>
        <Icon name="chevron-right" />
        <a href={brandHref('/workspace/posts', brand)} class="truncate" safe>
          {brand.name}
        </a>
      </nav>
      <h1>Brand settings</h1>
    </header>
    <div class="page settings">
      <BrandSettings brand={brand} />
      <BrandVoice brand={brand} />
      <BrandColors brand={brand} />
      <BrandHashtags brand={brand} />
      <QueueSlots brand={brand} />
      <ReviewPolicy brand={brand} />
      {brand.can.transfer ? <BrandTransfer brand={brand} targets={targets} /> : null}
    </div>
  </>
)

export const BrandSettings = ({ brand }: { brand: Brand }) => (
  <SettingsSection id="brand-settings" title="Brand" text="The name that people see, and the time zone of its posts.">
    {brand.can.update ? (
      <>
        <Edit brand={brand} />
        <LogoForms of={brand} action={`/api/brands/${brand.id}/logo`} sectionId="brand-settings" />
      </>
    ) : (
      <Facts brand={brand} />
    )}
  </SettingsSection>
)

/** The response to a change of the logo: the section, and the frame. */
export const BrandSettingsWithLogo = ({ brand }: { brand: Brand }) => (
  <>
    <BrandSettings brand={brand} />
    <ChangedBrandInFrame brand={brand} />
  </>
)

const Edit = ({ brand }: { brand: Brand }) => (
  <Form class="card" hx-put={`/api/brands/${brand.id}`} hx-target="#brand-settings" hx-swap="outerMorph">
    <ul class="list" aria-label="Brand">
      <li id="brand-logo">
        <LogoRow of={brand} text="Shown with its name">
          <LogoButtons of={brand} />
        </LogoRow>
      </li>
      <Field label="Name" name="name">
        <input
          class="input"
          id="name"
          name="name"
          value={brand.name}
          autocomplete="off"
          maxlength={80}
          required
          aria-describedby="name-error"
        />
      </Field>
      <Field
        label="Slug"
        name="slug"
        hint="Used in the API, once per organization. Lowercase letters, numbers and hyphens."
      >
        <input
          class="input"
          id="slug"
          name="slug"
          value={brand.slug}
          pattern="[a-z0-9]([a-z0-9\-]{0,46}[a-z0-9])?"
          maxlength={48}
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
          required
          aria-describedby="slug-hint slug-error"
        />
      </Field>
      <Field label="Time zone" name="timeZone" hint={describeZoneChange(brand)}>
        <ZoneChoice
          id="timeZone"
          name="timeZone"
          value={brand.timeZone}
          aria-describedby="timeZone-hint timeZone-error"
        />
      </Field>
    </ul>
    <SaveFooter />
  </Form>
)

/** Scheduled posts have instants, queue slots local times. */
function describeZoneChange({ counts: { scheduled } }: Brand): string {
  const slots = 'Queue slots keep their local time if you change it.'
  if (scheduled === 0) return slots
  const posts = scheduled === 1 ? 'The scheduled post is' : `The ${formatCount(scheduled)} scheduled posts are`
  return `${slots} ${posts} still published at the same moment, which is another local time.`
}

interface FieldProps {
  label: string
  name: string
  hint?: string
  children: Children
}

const Field = ({ label, name, hint, children }: FieldProps) => (
  <li>
    <span class="grow">
      <label for={name} safe>
        {label}
      </label>
      {hint ? (
        <small id={`${name}-hint`} safe>
          {hint}
        </small>
      ) : null}
    </span>
    {children}
    <p class="error" id={`${name}-error`}>
      <Icon name="circle-alert" />
      <span />
    </p>
  </li>
)

const Facts = ({ brand }: { brand: Brand }) => (
  <div class="card">
    <ul class="list" aria-label="Brand">
      <Setting name="Name" detail="Only admins can change these settings.">
        <span class="row">
          <Avatar name={brand.name} seed={brand.id} image={brand.logoUrl} shape="square" />
          <span class="wrap-anywhere" safe>
            {brand.name}
          </span>
        </span>
      </Setting>
      <Setting name="Slug">
        <code class="wrap-anywhere" safe>
          {brand.slug}
        </code>
      </Setting>
      <Setting name="Time zone">
        <span safe>{brand.timeZone}</span>
      </Setting>
    </ul>
  </div>
)
