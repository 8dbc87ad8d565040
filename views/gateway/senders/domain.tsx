import type { SenderDomain, SenderDomainRecord } from '#gateway/types'
import { Button } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Badge, StatusMark } from '#views/ui/marks.tsx'
import { MenuItem, RowMenu } from '#views/ui/overlays.tsx'
import { Time } from '#views/ui/time.tsx'
import { changesSenders, DeleteDomainDialog, deleteDomainDialog } from './dialogs.tsx'
import { refreshing } from './refresh.ts'
import { domainKinds, domainStates, purposes, recordStates } from './words.ts'

/** The domain verifies without an optional record, but a wrong one misleads receivers. */
const isOpen = ({ state, required }: SenderDomainRecord): boolean =>
  state !== 'correct' && (required || state === 'mismatch')

const placeOf = ({ kind, status }: SenderDomain): number => (kind === 'platform' ? 2 : status === 'verified' ? 1 : 0)

/** Those that need attention first, the platform's last. */
export const DomainList = ({ domains }: { domains: SenderDomain[] }) => (
  <div id="sender-domains" class="stack" style="--gap: var(--space-6)">
    {domains
      .toSorted((one, other) => placeOf(one) - placeOf(other))
      .map((domain) => (
        <DomainCard domain={domain} />
      ))}
  </div>
)

/** A domain with its DNS records: what is missing shows at once, verified domains fold theirs. */
export const DomainCard = ({ domain }: { domain: SenderDomain }) =>
  domain.kind === 'platform' ? <PlatformDomain domain={domain} /> : <OwnDomain domain={domain} />

const PlatformDomain = ({ domain }: { domain: SenderDomain }) => (
  <section class="card" aria-labelledby={`domain-${domain.id}`}>
    <header>
      <h2 id={`domain-${domain.id}`} class="wrap-anywhere" safe>
        {domain.domain}
      </h2>
      <Badge label="Provided by the platform" />
    </header>
    <p class="body small muted">
      Sends sign-in links and notifications for every organization. There’s nothing to set up.
    </p>
  </section>
)

const OwnDomain = ({ domain }: { domain: SenderDomain }) => {
  const { id, domain: name, status, records, can, checkError } = domain
  const open = records.filter(isOpen).length
  return (
    <section
      id={`domain-card-${id}`}
      class="card"
      aria-labelledby={`domain-${id}`}
      {...(status !== 'verified' && refreshing(`/api/sender-domains/${id}`))}
    >
      <header>
        <h2 id={`domain-${id}`} class="wrap-anywhere" safe>
          {name}
        </h2>
        {open > 0 ? (
          <Badge
            label={`${open} of ${records.length} records ${open === 1 ? 'needs' : 'need'} attention`}
            tone="warning"
            icon="triangle-alert"
          />
        ) : (
          <StatusMark {...domainStates[status]} />
        )}
        <span class="push actions">
          <copy-text>
            <output class="visually-hidden" safe>
              {domain.zoneFile}
            </output>
            <Button label="Copy as zone file" icon="copy" variant="ghost" size="sm" data-copy />
            <span class="muted small" role="status" />
          </copy-text>
          {can.update ? (
            <>
              <Button
                label="Check now"
                icon="rotate-cw"
                variant={open > 0 ? 'primary' : undefined}
                size="sm"
                aria-label={`Check now: ${name}`}
                hx-post={`/api/sender-domains/${id}/check`}
                {...changesSenders}
              />
              <DomainMenu domain={domain} />
            </>
          ) : null}
        </span>
      </header>
      <div class="body stack">
        {status === 'failing' && domain.failingSince ? (
          <Notice
            tone="danger"
            title="This domain stopped verifying"
            text="A required record is missing or wrong. Its senders can send for 24 hours after that was noticed."
          />
        ) : null}
        {checkError ? <Notice tone="warning" title="The records couldn’t be checked" text={checkError} /> : null}
        <p class="small muted">
          <span safe>{introOf(domain, open)}</span>
          {domain.checkedAt ? (
            <>
              {' '}
              Last checked <Time at={domain.checkedAt} form="moment" />.
            </>
          ) : null}
        </p>
      </div>
      {open > 0 ? (
        <Records domain={domain} />
      ) : (
        <details class="body">
          <summary safe>{`Show ${records.length} records`}</summary>
          <Records domain={domain} />
        </details>
      )}
      {can.update ? <DeleteDomainDialog domain={domain} /> : null}
    </section>
  )
}

const introOf = ({ kind, sentThrough, records }: SenderDomain, open: number): string => {
  const server = kind === 'smtp' ? 'the platform’s mail server' : domainKinds[kind]
  const through = `Sent through ${sentThrough ?? server}.`
  if (open > 0)
    return `Add these records at the domain’s DNS provider. They are checked every 10 minutes until they are correct, at least daily after two weeks. ${through}`
  const hasDmarc = records.some(({ purpose, state }) => purpose === 'dmarc' && state === 'correct')
  return hasDmarc
    ? `SPF, DKIM, and DMARC are set up correctly. ${through}`
    : `SPF and DKIM are set up correctly. A DMARC record is still missing, which large providers require. ${through}`
}

const DomainMenu = ({ domain }: { domain: SenderDomain }) => (
  <RowMenu id={`domain-menu-${domain.id}`} label={`Actions for ${domain.domain}`}>
    {domain.keyCreatedAt ? (
      <MenuItem
        label="Rotate the DKIM key"
        icon="key-round"
        hx-post={`/api/sender-domains/${domain.id}/dkim-key`}
        {...changesSenders}
      />
    ) : null}
    <MenuItem label="Delete" icon="trash-2" danger commandfor={deleteDomainDialog(domain)} command="show-modal" />
  </RowMenu>
)

const Records = ({ domain: { domain, records } }: { domain: SenderDomain }) => (
  <table class="table records" data-list>
    <caption class="visually-hidden" safe>{`DNS records of ${domain}`}</caption>
    <thead>
      <tr>
        <th scope="col">Record</th>
        <th scope="col">Name</th>
        <th scope="col">Value</th>
        <th scope="col">Found</th>
      </tr>
    </thead>
    <tbody>
      {records.map((record) => (
        <tr>
          <td data-at="lead">
            <b>{record.type}</b> <small safe>{purposes[record.purpose]}</small>
          </td>
          <td data-at="title">
            <Value label={`Copy the name of ${purposes[record.purpose]}`} text={record.name} />
          </td>
          <td data-at="sub">
            {record.value === null ? (
              <span class="muted">Shown by the provider</span>
            ) : (
              <Value label={`Copy the value of ${purposes[record.purpose]}`} text={record.value} />
            )}
            <Found record={record} />
          </td>
          <td data-at="end">
            <StatusMark {...recordStates[record.state]} />
            {record.required ? null : <small class="why">Optional</small>}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

/** What DNS has instead, and what to change. */
const Found = ({ record: { state, found, advice } }: { record: SenderDomainRecord }) => (
  <>
    {state === 'mismatch'
      ? found.map((value) => (
          <small class="why wrap-anywhere">
            Found <code safe>{value}</code>
          </small>
        ))
      : null}
    {advice ? (
      <small class="why" safe>
        {advice}
      </small>
    ) : null}
  </>
)

const Value = ({ label, text }: { label: string; text: string }) => (
  <copy-text class="value">
    <output class="mono wrap-anywhere" safe>
      {text}
    </output>
    <Button label={label} icon="copy" iconOnly variant="ghost" size="sm" data-copy />
    <span class="muted small" role="status" />
  </copy-text>
)
