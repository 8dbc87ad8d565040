import type { Children } from '@kitajs/html'
import type { AuditEvent } from '#identity/types'
import { Avatar, Badge } from '#views/ui/marks.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Time } from '#views/ui/time.tsx'
import { spelled } from './audit-filter.ts'

interface OfEvent {
  event: AuditEvent
}

export const AuditRow = ({ event }: OfEvent) => (
  <tr>
    <td data-at="end">
      <Time at={event.at} form="day" /> <Time at={event.at} form="time" />
    </td>
    <td data-at="title">
      <Who event={event} />
    </td>
    <td data-at="sub">
      <details>
        <summary>
          <Icon name="chevron-right" />
          <span safe>{spelled(event.operation)}</span>
          <small class="muted" safe>
            {aboutWhat(event)}
          </small>
          {event.outcome === 'refused' ? <Badge label="Denied" tone="warning" /> : null}
        </summary>
        <Facts event={event} />
      </details>
    </td>
    <td class="muted" safe>
      {event.address ?? ''}
    </td>
  </tr>
)

/** Where the operation’s name doesn’t contain it: signing up creates a user, a session and an organization. */
function aboutWhat({ operation, object }: AuditEvent): string {
  const kind = object?.kind.replaceAll('_', ' ') ?? ''
  return spelled(operation).toLowerCase().includes(kind) ? '' : ` ${kind}`
}

const Who = ({ event: { principal, credential } }: OfEvent) => {
  const shown = principal?.name ?? (principal ? spelled(principal.principalType) : 'Unknown')
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

const Facts = ({ event }: OfEvent) => (
  <dl class="facts">
    {changesOf(event).map(([field, was, is]) => (
      <Fact name={spelled(field)}>
        {was ? <del safe>{was}</del> : null}
        {was && is ? ' ' : ''}
        {is ? <ins safe>{is}</ins> : null}
      </Fact>
    ))}
    {event.object ? <Plain name="Object" value={[spelled(event.object.kind), event.object.id].join(' ')} /> : null}
    {event.onBehalfOf ? <Plain name="On behalf of" value={event.onBehalfOf} /> : null}
    {event.credential ? <Plain name="Credential" value={`${event.credential.kind} ${event.credential.id}`} /> : null}
    {event.address ? <Plain name="Address" value={event.address} /> : null}
    <Plain name="Request" value={event.requestId} />
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

const changesOf = ({ before, after }: AuditEvent): [field: string, was: string, is: string][] =>
  Object.keys({ ...before, ...after }).map((field) => [field, text(before?.[field]), text(after?.[field])])

function text(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
