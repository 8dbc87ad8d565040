import type { AuditEvent } from '#lib/audit/contract.ts'
import { Icon } from '#views/ui/icon.tsx'
import { Avatar, Badge } from '#views/ui/marks.tsx'
import { Time } from '#views/ui/time.tsx'
import { spellOut, type AuditPlace } from './filter.ts'

interface AuditEntryProps {
  place: AuditPlace
  event: AuditEvent
}

/** One event as a sentence, which opens to the changed fields. */
export const AuditEntry = ({ place, event }: AuditEntryProps) => {
  const actor = actorOf(event)
  return (
    <li id={`event-${event.id}`}>
      <details class="entry">
        <summary>
          <Avatar name={actor} seed={event.principal?.id} size="sm" />
          <span>
            <b safe>{actor}</b> <span safe>{uncapitalize(event.summary)}</span>{' '}
            {event.credential?.kind === 'api_key' ? <Badge label="API key" /> : null}
            {event.outcome === 'refused' ? <Badge label="Denied" tone="warning" /> : null}
          </span>
          <Time at={event.at} form="time" />
          <Icon name="chevron-down" />
        </summary>
        <div>
          <Changes event={event} />
          <Facts place={place} event={event} />
        </div>
      </details>
    </li>
  )
}

/** Jobs have no actor. */
function actorOf({ principal }: AuditEvent): string {
  if (!principal) return 'Atrium'
  if (principal.name) return principal.name
  return principal.principalType === 'service' ? 'A service' : 'A former member'
}

const uncapitalize = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1)

const Changes = ({ event }: { event: AuditEvent }) => {
  const changes = changesOf(event)
  if (changes.length === 0) return <></>
  return (
    <table class="diff">
      <caption class="visually-hidden">Changes</caption>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(([field, was, is]) => (
          <tr>
            <th scope="row" safe>
              {spellOut(field)}
            </th>
            <td>{was ? <del safe>{was}</del> : null}</td>
            <td>{is ? <ins safe>{is}</ins> : null}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const Facts = ({ place, event }: AuditEntryProps) => (
  <dl class="facts">
    {event.onBehalfOf ? <Fact name="On behalf of" value={event.onBehalfOf} /> : null}
    {event.credential ? <Fact name="Credential" value={credentialOf(event.credential)} /> : null}
    {event.address ? <Fact name="IP address" value={event.address} /> : null}
    <dt>Time</dt>
    <dd>
      <Time at={event.at} form="exact" />
    </dd>
    <Fact name="Operation" value={event.operation} />
    {event.object?.id ? <ObjectFact place={place} kind={event.object.kind} id={event.object.id} /> : null}
    <Fact name="Request" value={event.requestId} />
  </dl>
)

const ObjectFact = ({ place, kind, id }: { place: AuditPlace; kind: string; id: string }) => {
  const path = place.pathOf?.(kind, id)
  if (!path) return <Fact name={spellOut(kind)} value={id} />
  return (
    <>
      <dt safe>{spellOut(kind)}</dt>
      <dd class="wrap-anywhere">
        <a class="link" href={path} safe>
          {id}
        </a>
      </dd>
    </>
  )
}

const credentials: Readonly<Record<string, string>> = {
  access: 'Session',
  session: 'Session',
  api_key: 'API key',
  service: 'Service token',
}

const credentialOf = ({ kind, id }: NonNullable<AuditEvent['credential']>): string =>
  `${credentials[kind] ?? spellOut(kind)} ${id}`

const Fact = ({ name, value }: { name: string; value: string }) => (
  <>
    <dt safe>{name}</dt>
    <dd class="wrap-anywhere" safe>
      {value}
    </dd>
  </>
)

/** Each changed field with its values before and after, as text. */
const changesOf = ({ before, after }: AuditEvent): [field: string, was: string, is: string][] =>
  Object.keys({ ...before, ...after }).map((field) => [field, text(before?.[field]), text(after?.[field])])

function text(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
