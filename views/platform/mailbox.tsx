import type { KeptMail } from '#lib/mail.ts'
import { Empty } from '#views/ui/empty.tsx'
import { Time } from '#views/ui/time.tsx'

type Head = Omit<KeptMail, 'text' | 'html'>

/** Everything that was mailed on a server without a mail server, newest first. */
export const Mailbox = ({ mails }: { mails: Head[] }) => (
  <>
    <header class="page-header">
      <h1>Mailbox</h1>
      <span class="muted">Emails that this development server didn’t send</span>
    </header>
    <div class="page">
      {mails.length === 0 ? (
        <Empty icon="mail" title="No emails yet" text="Invitations, confirmations and other emails appear here." />
      ) : (
        <ul class="list" data-links aria-label="Emails, newest first">
          {mails.map((mail) => (
            <Line mail={mail} />
          ))}
        </ul>
      )}
    </div>
  </>
)

const Line = ({ mail }: { mail: Head }) => (
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
      <Time at={mail.createdAt} zone="UTC" />
    </small>
  </li>
)

/** One mail: its words, and how a mail program would draw it. */
export const KeptMailPage = ({ mail }: { mail: KeptMail }) => (
  <>
    <header class="page-header">
      <nav class="crumbs" aria-label="Breadcrumb">
        <a href="/dev/mailbox">Mailbox</a>
      </nav>
      <h1 class="wrap-anywhere" safe>
        {mail.subject}
      </h1>
    </header>
    <div class="page stack">
      <dl class="facts">
        <dt>To</dt>
        <dd class="wrap-anywhere" safe>
          {mail.recipient}
        </dd>
        <dt>Created</dt>
        <dd>
          <Time at={mail.createdAt} zone="UTC" />
        </dd>
      </dl>
      <section class="section" aria-labelledby="words">
        <h2 id="words">Text</h2>
        <p class="mail-text">{linked(mail.text)}</p>
      </section>
      <section class="section" aria-labelledby="drawn">
        <h2 id="drawn">HTML</h2>
        <iframe
          class="mail-html"
          title={mail.subject}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          srcdoc={mail.html}
        />
      </section>
    </div>
  </>
)

/** A mail's text with its addresses as links. */
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
