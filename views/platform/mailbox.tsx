import type { KeptMail, KeptMailDetail } from '#platform/types'
import { Empty } from '#views/ui/feedback.tsx'
import { Time } from '#views/ui/time.tsx'

interface MailsProps {
  mails: KeptMail[]
}

export const Mailbox = ({ mails }: MailsProps) => (
  <>
    <header class="page-header">
      <h1>Mailbox</h1>
      <span class="muted">Emails that this development server captured instead of sending</span>
    </header>
    <div class="page">
      <KeptMailRows mails={mails} />
    </div>
  </>
)

export const KeptMailRows = ({ mails }: MailsProps) =>
  mails.length === 0 ? (
    <Empty icon="mail" title="No emails yet" text="Invitations, confirmations and other emails appear here." />
  ) : (
    <ul class="list" data-links aria-label="Emails, newest first">
      {mails.map((mail) => (
        <KeptMailRow mail={mail} />
      ))}
    </ul>
  )

const KeptMailRow = ({ mail }: { mail: KeptMail }) => (
  <li>
    <span class="grow">
      <a class="row-link wrap-anywhere" href={`/dev/mailbox/${mail.id}`} safe>
        {mail.subject}
      </a>
      <small class="wrap-anywhere" safe>
        {mail.recipient}
      </small>
    </span>
    <small class="muted nowrap">
      <Time at={mail.createdAt} />
    </small>
  </li>
)

export const KeptMailPage = ({ mail }: { mail: KeptMailDetail }) => (
  <>
    <header class="page-header">
      <nav class="crumbs" aria-label="Breadcrumb">
        <a href="/dev/mailbox">Mailbox</a>
      </nav>
      <h1 class="wrap-anywhere" safe>
        {mail.subject}
      </h1>
    </header>
    <KeptMailContent mail={mail} />
  </>
)

export const KeptMailContent = ({ mail }: { mail: KeptMailDetail }) => (
  <div class="page stack">
    <dl class="facts">
      <dt>To</dt>
      <dd class="wrap-anywhere" safe>
        {mail.recipient}
      </dd>
      <dt>Created</dt>
      <dd>
        <Time at={mail.createdAt} />
      </dd>
    </dl>
    <section class="section" aria-labelledby="text">
      <h2 id="text">Text</h2>
      <p class="mail-text">{linked(mail.text)}</p>
    </section>
    <section class="section" aria-labelledby="html">
      <h2 id="html">HTML</h2>
      <iframe
        class="mail-html"
        title={mail.subject}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        srcdoc={mail.html}
      />
    </section>
  </div>
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
