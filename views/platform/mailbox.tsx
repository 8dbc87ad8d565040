import type { KeptMail, KeptMailDetail } from '#platform/types'
import { ButtonLink } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { Time } from '#views/ui/time.tsx'

interface MailsProps {
  mails: KeptMail[]
}

const Header = () => (
  <header class="page-header">
    <h1>Mailbox</h1>
    <small class="muted">Emails that this development server captured instead of sending</small>
  </header>
)

export const Mailbox = ({ mails }: MailsProps) => (
  <>
    <Header />
    <div class="page" style="--measure: none">
      <KeptMailRows mails={mails} />
    </div>
  </>
)

interface KeptMailPageProps extends MailsProps {
  mail: KeptMailDetail
}

export const KeptMailPage = ({ mail, mails }: KeptMailPageProps) => (
  <>
    <Header />
    <div class="page" style="--measure: none">
      <div class="reader" data-open>
        <KeptMailList mails={mails} openedId={mail.id} />
        <KeptMailContent mail={mail} />
      </div>
    </div>
  </>
)

export const KeptMailRows = ({ mails }: MailsProps) =>
  mails.length === 0 ? (
    <Empty icon="mail" title="No emails yet" text="Invitations, confirmations and other emails appear here." />
  ) : (
    <div class="card">
      <KeptMailList mails={mails} />
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
          To <span safe>{mail.recipient}</span>, <Time at={mail.createdAt} />
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
