import type { Children } from '@kitajs/html'
import type { AuditEntry } from '#identity/types'
import { Avatar } from '#views/ui/avatar.tsx'
import { Badge } from '#views/ui/badge.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Time } from '#views/ui/time.tsx'
import { spelled } from './audit-filter.ts'

interface AuditRowProps {
  entry: AuditEntry
  /** Who did it; unknown for services and for those who are gone. */
  name?: string
}

/** One act: when, who, what, and behind a fold what it changed. */
export const AuditRow = ({ entry, name }: AuditRowProps) => (
  <tr>
    <td data-at="end">
      <Time at={entry.at} zone="UTC" form="day" /> <Time at={entry.at} zone="UTC" form="time" />
    </td>
    <td data-at="title">
      <Who entry={entry} name={name} />
    </td>
    <td data-at="sub">
      <details>
        <summary>
          <Icon name="chevron-right" />
          <span safe>{spelled(entry.operation)}</span>
          <small class="muted" safe>
            {aboutWhat(entry)}
          </small>
          {entry.outcome === 'refused' ? <Badge label="Refused" tone="warning" /> : null}
        </summary>
        <Facts entry={entry} />
      </details>
    </td>
    <td class="muted" safe>
      {entry.address ?? ''}
    </td>
  </tr>
)

/** The kind of thing, where the act's own name does not say it: signing up makes a person, a session, an organization. */
function aboutWhat({ operation, object }: AuditEntry): string {
  const kind = object?.kind.replaceAll('_', ' ') ?? ''
  return spelled(operation).toLowerCase().includes(kind) ? '' : ` ${kind}`
}

const Who = ({ entry: { principal, credential }, name }: AuditRowProps) => {
  const shown = name ?? (principal ? spelled(principal.principalType) : 'Unknown')
  return (
    <span class="row">
      <Avatar name={shown} seed={principal?.id} size="sm" />
      <span class="wrap-anywhere" safe>
        {shown}
      </span>
      {credential?.kind === 'api_key' ? <Badge label="API key" /> : null}
    </span>
  )
}

const Facts = ({ entry }: { entry: AuditEntry }) => (
  <dl class="facts">
    {changesOf(entry).map(([field, was, is]) => (
      <Fact name={spelled(field)}>
        {was ? <del safe>{was}</del> : null}
        {was && is ? ' ' : ''}
        {is ? <ins safe>{is}</ins> : null}
      </Fact>
    ))}
    {entry.object ? <Plain name="Object" value={[spelled(entry.object.kind), entry.object.id].join(' ')} /> : null}
    {entry.onBehalfOf ? <Plain name="On behalf of" value={entry.onBehalfOf} /> : null}
    {entry.credential ? <Plain name="Credential" value={`${entry.credential.kind} ${entry.credential.id}`} /> : null}
    {entry.address ? <Plain name="Address" value={entry.address} /> : null}
    <Plain name="Request" value={entry.requestId} />
  </dl>
)

const Fact = ({ name, children }: { name: string; children: Children }) => (
  <>
    <dt safe>{name}</dt>
    <dd class="wrap-anywhere">{children}</dd>
  </>
)

const Plain = ({ name, value }: { name: string; value: string }) => (
  <Fact name={name}>
    <span safe>{value}</span>
  </Fact>
)

/** Each changed field with what it was and what it is, in words. */
const changesOf = ({ before, after }: AuditEntry): [field: string, was: string, is: string][] =>
  Object.keys({ ...before, ...after }).map((field) => [field, text(before?.[field]), text(after?.[field])])

function text(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
