import type { OrganizationDomain } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { TextField, Form } from '#views/ui/form.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { StatusMark, type StatusLook } from '#views/ui/marks.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { SettingRow } from './setting-rows.tsx'
import { SettingsSection } from '#views/ui/settings.tsx'
import { timeText, viewerZone } from '#views/ui/time.tsx'

interface DomainsSectionProps {
  organizationId: string
  domains: OrganizationDomain[]
}

const place = 'email-domains'
const inPlace = { 'hx-target': `#${place}`, 'hx-swap': 'outerHTML' } as const

const dialog = 'add-domain'

export const DomainsSection = ({ organizationId, domains }: DomainsSectionProps) => (
  <SettingsSection
    id={place}
    title="Email domains"
    text="Single sign-on only creates accounts for email addresses at domains that you’ve verified with a DNS record. Verify subdomains separately: acme.com doesn’t include mail.acme.com."
  >
    <div class="card">
      <ul class="list" aria-label="Email domains">
        {domains.map((domain) => (
          <Domain organizationId={organizationId} domain={domain} />
        ))}
        <SettingRow
          icon={domains.length > 0 ? 'plus' : 'globe'}
          name={domains.length > 0 ? 'Another domain' : 'No domains yet'}
        >
          <Button label="Add domain" size="sm" commandfor={dialog} command="show-modal" />
        </SettingRow>
      </ul>
      <Dialog id={dialog} title="Add a domain">
        <Form hx-post={`/api/organizations/${organizationId}/domains`} {...inPlace}>
          <div class="body">
            <TextField
              label="Domain"
              name="domain"
              hint="The part of email addresses after the @, such as acme.com"
              maxlength={253}
              autocomplete="off"
              autocapitalize="none"
              spellcheck="false"
              required
              autofocus
            />
          </div>
          <DialogButtons dialog={dialog} submit="Add" />
        </Form>
      </Dialog>
    </div>
  </SettingsSection>
)

const Domain = ({ organizationId, domain }: { organizationId: string; domain: OrganizationDomain }) => {
  const route = `/api/organizations/${organizationId}/domains/${domain.id}`
  const isProven = domain.status === 'verified' && domain.failure === null
  return (
    <li>
      <Icon name="globe" />
      <span class="grow">
        <span class="row" data-wrap>
          <span class="wrap-anywhere" safe>
            {domain.domain}
          </span>
          <DomainStatus status={domain.status} />
        </span>
      </span>
      <Form hx-post={`${route}/verification`} {...inPlace}>
        <Button
          id={`verify-${domain.id}`}
          label={isProven ? 'Check again' : 'Verify'}
          aria-label={isProven ? `Check ${domain.domain} again` : `Verify ${domain.domain}`}
          variant={isProven ? undefined : 'primary'}
          size="sm"
          type="submit"
        />
      </Form>
      <Form
        hx-delete={route}
        {...inPlace}
        hx-confirm={`Remove ${domain.domain}? People whose accounts were created by single sign-on at this domain are signed out and can’t use it to sign in.`}
      >
        <Button label="Remove" aria-label={`Remove ${domain.domain}`} variant="quiet-danger" size="sm" type="submit" />
      </Form>
      {isProven ? null : (
        <div class="whole stack">
          <Proof domain={domain} />
        </div>
      )}
    </li>
  )
}

const Proof = ({ domain: { record, failure, endsAt } }: { domain: OrganizationDomain }) => (
  <>
    {failure ? (
      <Notice tone="warning" role="status">
        <p class="wrap-anywhere" safe>
          {failure.detail}
        </p>
        {endsAt ? <p safe>{`The domain stays verified until ${timeText(endsAt, viewerZone(), 'full')}.`}</p> : null}
      </Notice>
    ) : null}
    <p>Add this record to the domain’s DNS, and don’t remove it:</p>
    <dl class="facts">
      <dt>Type</dt>
      <dd class="mono">{record.type}</dd>
      <dt>Name</dt>
      <dd>
        <Copyable label="Copy the name" text={record.name} />
      </dd>
      <dt>Value</dt>
      <dd>
        <Copyable label="Copy the value" text={record.value} />
      </dd>
    </dl>
  </>
)

const Copyable = ({ label, text }: { label: string; text: string }) => (
  <copy-text>
    <output class="mono wrap-anywhere" safe>
      {text}
    </output>{' '}
    <Button label={label} icon="copy" iconOnly variant="ghost" size="sm" data-copy />
    <span class="muted small" role="status" />
  </copy-text>
)

const states = {
  pending: { state: 'waiting', icon: 'hourglass', word: 'Not verified yet' },
  verified: { state: 'published', icon: 'circle-check', word: 'Verified' },
  failed: { state: 'failed', icon: 'circle-alert', word: 'Not verified' },
} as const satisfies Record<OrganizationDomain['status'], StatusLook>

const DomainStatus = ({ status }: Pick<OrganizationDomain, 'status'>) => <StatusMark {...states[status]} />
