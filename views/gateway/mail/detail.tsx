import type { MailDetail, MailEvent } from '#gateway/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Icon, type IconName } from '#views/ui/icon.tsx'
import { listHref } from '#views/ui/lists.tsx'
import { StatusMark } from '#views/ui/marks.tsx'
import { Payload } from '#views/ui/payload.tsx'
import { Time } from '#views/ui/time.tsx'
import { dollars } from '../money.ts'
import { providerName } from '../provider-name.ts'
import { MailHeader, MailList, MailSearch, MailTabs, type MailLogProps, type MailQuery } from './log.tsx'
import { eventNames, recipientStates } from './words.ts'

interface MailPageProps extends MailLogProps {
  mail: MailDetail
}

export const MailPage = ({ mail, log, query }: MailPageProps) => (
  <>
    <MailHeader query={query} />
    <MailTabs log={log} query={query} />
    <div class="page stack" style="--measure: none">
      <MailSearch query={query} />
      <div class="reader" data-open>
        <MailList log={log} query={query} openedId={mail.id} />
        <OpenedMail mail={mail} query={query} />
      </div>
    </div>
  </>
)

const isFailed = ({ state }: MailDetail['recipients'][number]): boolean =>
  ['bounced', 'complained', 'failed', 'suppressed'].includes(state)

/** An email with its recipients, activity, facts and content. */
export const OpenedMail = ({ mail, query = {} }: { mail: MailDetail; query?: MailQuery }) => (
  <article id="mail" aria-labelledby="mail-subject">
    <ButtonLink
      class="button back"
      label="All emails"
      icon="arrow-left"
      size="sm"
      variant="ghost"
      href={listHref('/gateway/mail', query)}
    />
    <header>
      <div class="grow">
        <h2 id="mail-subject" class="wrap-anywhere" safe>
          {mail.subject || '(no subject)'}
        </h2>
      </div>
    </header>
    {mail.recipients.filter(isFailed).map(({ address, state, response }) => (
      <Notice tone="danger" title={`${recipientStates[state].word}: ${address}`} text={response ?? undefined}>
        {mail.can.suppress && state !== 'suppressed' ? (
          <div class="actions">
            <Button
              label="Suppress this address"
              size="sm"
              hx-post="/api/suppressions"
              hx-vals={JSON.stringify({ address })}
              hx-swap="none"
            />
          </div>
        ) : null}
      </Notice>
    ))}
    <section class="section" aria-labelledby="mail-activity">
      <header>
        <h3 id="mail-activity">Activity</h3>
      </header>
      <ol class="timeline" aria-label="Activity, newest first">
        {mail.events.map((event) => (
          <Event event={event} />
        ))}
      </ol>
      {mail.nextAttemptAt ? (
        <p class="small muted">
          The next attempt is on <Time at={mail.nextAttemptAt} />.
        </p>
      ) : null}
    </section>
    <Facts mail={mail} />
    <Content mail={mail} />
  </article>
)

const marks: Record<string, { state: string; icon: IconName }> = {
  accepted: { state: 'succeeded', icon: 'check' },
  sent: { state: 'succeeded', icon: 'send' },
  delivered: { state: 'succeeded', icon: 'circle-check' },
  deferred: { state: 'waiting', icon: 'hourglass' },
  bounced: { state: 'failed', icon: 'circle-alert' },
  complained: { state: 'failed', icon: 'triangle-alert' },
  failed: { state: 'failed', icon: 'circle-alert' },
}

const markOf = ({ type, outcome }: MailEvent) =>
  marks[outcome ?? type] ?? marks[type] ?? { state: 'info', icon: 'circle-dot' as const }

const Event = ({ event }: { event: MailEvent }) => {
  const { state, icon } = markOf(event)
  const through = [event.server && `to ${event.server}`, event.encryption, durationOf(event)].filter(Boolean).join(', ')
  return (
    <li data-state={state}>
      <span class="mark">
        <Icon name={icon} />
      </span>
      <div>
        <div class="head">
          <b class="wrap-anywhere" safe>
            {titleOf(event)}
          </b>
          <Time at={event.at} form="exact" />
        </div>
        {through ? (
          <small class="wrap-anywhere" safe>
            {through}
          </small>
        ) : null}
        {event.response ? <Payload label="Server response" text={event.response} /> : null}
      </div>
    </li>
  )
}

const titleOf = ({ type, address, outcome }: MailEvent): string => {
  const name = outcome === 'unknown' ? 'Connection lost before the response' : eventNames[type]
  return address ? `${name}: ${address}` : name
}

const durationOf = ({ at, endedAt }: MailEvent): string | null =>
  endedAt ? `${Date.parse(endedAt) - Date.parse(at)} ms` : null

const Facts = ({ mail }: { mail: MailDetail }) => (
  <section class="section" aria-labelledby="mail-details">
    <h3 id="mail-details">Details</h3>
    <dl class="facts">
      <dt>From</dt>
      <dd class="wrap-anywhere" safe>{`${mail.fromName} <${mail.fromAddress}>`}</dd>
      {mail.recipients.map(({ field, address, state }) => (
        <>
          <dt safe>{fieldNames[field]}</dt>
          <dd class="wrap-anywhere">
            <span safe>{address}</span> <StatusMark {...recipientStates[state]} />
          </dd>
        </>
      ))}
      {mail.applicationId ? (
        <>
          <dt>App</dt>
          <dd safe>{mail.applicationName ?? mail.applicationId}</dd>
        </>
      ) : null}
      {mail.template ? (
        <>
          <dt>Template</dt>
          <dd safe>{mail.template}</dd>
        </>
      ) : null}
      {mail.attachments.map(({ name, bytes }) => (
        <>
          <dt>Attachment</dt>
          <dd class="wrap-anywhere" safe>{`${name}, ${Math.ceil(bytes / 1024)} KB`}</dd>
        </>
      ))}
      <dt>Sent through</dt>
      <dd safe>{providerName(mail.provider)}</dd>
      <dt>Cost</dt>
      <dd safe>{dollars(mail.costNanoUsd)}</dd>
      <dt>Message-ID</dt>
      <dd class="mono wrap-anywhere" safe>
        {mail.messageId}
      </dd>
    </dl>
  </section>
)

const fieldNames = { to: 'To', cc: 'Cc', bcc: 'Bcc' }

const Content = ({ mail: { text, html, subject, can } }: { mail: MailDetail }) => {
  if (text === null && html === null)
    return can.seeContent ? <p class="small muted">The content of this email isn’t stored anymore.</p> : <></>
  return (
    <section class="section" aria-labelledby="mail-content">
      <h3 id="mail-content">Message</h3>
      {html === null ? null : <iframe class="mail-html" title={subject || 'Email'} sandbox="" srcdoc={html} />}
      {text === null ? null : (
        <p class="mail-text" safe>
          {text}
        </p>
      )}
    </section>
  )
}
