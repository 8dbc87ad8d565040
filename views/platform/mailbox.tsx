import type { KeptMail, KeptMailDetail } from '#platform/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { Form } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { Time, TimesIn } from '#views/ui/time.tsx'

interface MailsProps {
  mails: KeptMail[]
  /** What was searched for. */
  q?: string
}

const emptyDialog = 'empty-mailbox'

const Header = ({ q, mails }: MailsProps) => (
  <header class="page-header">
    <h1>Mailbox</h1>
    <span class="badge" data-tone="warning">
      Development
    </span>
    <small class="muted">
      Mail this server would have sent. <TimesIn />
    </small>
    {mails.length > 0 || q ? (
      <div class="actions">
        <Button label="Empty" icon="trash-2" size="sm" commandfor={emptyDialog} command="show-modal" />
        <Dialog id={emptyDialog} title="Empty the mailbox?">
          <Form hx-delete="/dev/mailbox/api/mails">
            <div class="body">
              <p>All emails are deleted, with the links in them.</p>
            </div>
            <DialogButtons dialog={emptyDialog} submit="Empty" danger focusCancel />
          </Form>
        </Dialog>
      </div>
    ) : null}
  </header>
)

const place = 'mails'

/** Searches as a form that any browser can send; htmx searches while one types, where the list is shown. */
const Search = ({ q, isOpened }: { q?: string; isOpened?: boolean }) => (
  <form
    class="filters"
    role="search"
    aria-label="Search mail"
    action="/dev/mailbox"
    {...(!isOpened && {
      'hx-get': '/dev/mailbox/api/mails',
      'hx-target': `#${place}`,
      'hx-swap': 'outerMorph',
      'hx-sync': 'this:replace',
      'hx-trigger': 'input delay:300ms, submit',
    })}
  >
    <label class="input">
      <Icon name="search" />
      <input type="search" name="q" placeholder="Subject or address" aria-label="Subject or address" value={q} />
    </label>
  </form>
)

export const Mailbox = ({ mails, q }: MailsProps) => (
  <>
    <Header mails={mails} q={q} />
    <div class="page stack" style="--measure: none">
      <Search q={q} />
      <KeptMailRows mails={mails} q={q} />
    </div>
  </>
)

interface KeptMailPageProps extends MailsProps {
  mail: KeptMailDetail
}

export const KeptMailPage = ({ mail, mails }: KeptMailPageProps) => (
  <>
    <Header mails={mails} />
    <div class="page stack" style="--measure: none">
      <Search isOpened />
      <div class="reader" data-open>
        <KeptMailList mails={mails} openedId={mail.id} />
        <KeptMailContent mail={mail} />
      </div>
    </div>
  </>
)

export const KeptMailRows = ({ mails, q }: MailsProps) => (
  <div id={place}>
    {mails.length > 0 ? (
      <div class="card">
        <KeptMailList mails={mails} />
      </div>
    ) : q ? (
      <Empty icon="search" title="No results" text="No email has this in its subject or address." />
    ) : (
      <Empty icon="mail" title="No emails yet" text="Invitations, confirmations and other emails appear here." />
    )}
  </div>
)

const KeptMailList = ({ mails, openedId }: MailsProps & { openedId?: string }) => (
  <ul class="list" data-links data-settings aria-label="Emails, newest first">
    {mails.map((mail) => (
      <li>
        <span class="grow">
          <a
            class="row-link wrap-anywhere"
            href={`/dev/mailbox/${mail.id}`}
            aria-current={mail.id === openedId ? 'true' : undefined}
            safe
          >
            {mail.subject}
          </a>
          <small class="wrap-anywhere" safe>
            {mail.recipient}
          </small>
        </span>
        <small class="muted nowrap">
          <Time at={mail.createdAt} form="moment" />
        </small>
      </li>
    ))}
  </ul>
)

/** An email as HTML and as text. */
export const KeptMailContent = ({ mail }: { mail: KeptMailDetail }) => (
  <article aria-labelledby="subject">
    <ButtonLink
      class="button back"
      label="All emails"
      icon="arrow-left"
      size="sm"
      variant="ghost"
      href="/dev/mailbox"
    />
    <header>
      <div class="grow">
        <h2 id="subject" class="wrap-anywhere" safe>
          {mail.subject}
        </h2>
        <small class="muted wrap-anywhere">
          To <span safe>{mail.recipient}</span>, <Time at={mail.createdAt} form="moment" />
        </small>
      </div>
    </header>
    <iframe
      class="mail-html"
      title={mail.subject}
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      srcdoc={mail.html}
    />
    <section class="section" aria-labelledby="text">
      <h3 id="text">Text</h3>
      <p class="mail-text">{linked(mail.text)}</p>
    </section>
  </article>
)

const linked = (text: string) => (
  <>
    {text
      .split(/(https?:\/\/\S+)/)
      .map((part, at) => (at % 2 === 1 ? <Address href={part} /> : <span safe>{part}</span>))}
  </>
)

const Address = ({ href }: { href: string }) => (
  <a class="link wrap-anywhere" href={href} safe>
    {href}
  </a>
)
