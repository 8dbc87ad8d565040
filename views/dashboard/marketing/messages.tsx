import { Button } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Icon, type IconName } from '#views/ui/icon.tsx'
import { Refusal, SiteInput, SiteSegments, SiteText, Trap, type Refusable } from './fields.tsx'
import { contactTopics, feedbackTopics } from './words.ts'

export interface MessagePageProps extends Refusable {
  /** The reference of the message that was just sent. */
  sent?: string
  /** The operator's address. */
  email: string | null
}

const Sent = ({ sent }: { sent?: string }) =>
  sent ? (
    <Notice tone="info" role="status" title="Sent. Thank you">
      <p>
        It arrived as <code safe>{sent}</code>.
      </p>
    </Notice>
  ) : (
    <></>
  )

export const Contact = ({ sent, refused, email }: MessagePageProps) => (
  <section class="counter">
    <header>
      <h1>Contact us</h1>
      <p class="lead">A person reads every message and replies by email.</p>
    </header>
    <form class="stack" style="--gap: 1.5rem" method="post" action="/api/contact">
      <Sent sent={sent} />
      <Refusal refused={refused} />
      <input type="hidden" name="kind" value="contact" />
      <SiteSegments legend="What’s it about?" name="topic" options={contactTopics} refused={refused} />
      <div class="fields">
        <SiteInput label="Name" name="name" autocomplete="name" required maxlength={100} refused={refused} />
        <SiteInput
          label="Email"
          name="email"
          type="email"
          autocomplete="email"
          required
          maxlength={254}
          refused={refused}
        />
      </div>
      <SiteText
        label="Message"
        name="message"
        rows="7"
        required
        maxlength={5000}
        hint="Don’t send passwords or keys. We never need them."
        refused={refused}
      />
      <Trap />
      <div class="actions">
        <Button label="Send" type="submit" variant="primary" size="lg" />
      </div>
    </form>
    <aside>
      <section class="stack" style="--gap: .75rem">
        <h2>Faster ways</h2>
        <ul class="list">
          <Way icon="code" label="API reference" href="/openapi" detail="Every route, its permission, and its errors" />
          <Way icon="calendar" label="See it first" href="/demo" detail="A demo with your own posts" />
          {email ? (
            <Way icon="mail" label={email} href={`mailto:${email}`} detail="From your own mail program" />
          ) : null}
        </ul>
      </section>
      <p class="small muted">
        Messages are deleted a year after they arrive.{' '}
        <a class="link" href="/privacy">
          Privacy
        </a>
      </p>
    </aside>
  </section>
)

interface WayProps {
  icon: IconName
  label: string
  href: string
  detail: string
}

const Way = ({ icon, label, href, detail }: WayProps) => (
  <li>
    <Icon name={icon} />
    <span class="grow">
      <a class="link" href={href} safe>
        {label}
      </a>
      <small safe>{detail}</small>
    </span>
  </li>
)

export const Feedback = ({ sent, refused }: MessagePageProps) => (
  <section class="counter" data-narrow>
    <header>
      <h1>Send feedback</h1>
      <p class="lead">
        Something broken, missing, or good? Your message goes straight to the people who run this server.
      </p>
    </header>
    <form class="stack" style="--gap: 1.5rem" method="post" action="/api/contact">
      <Sent sent={sent} />
      <Refusal refused={refused} />
      <input type="hidden" name="kind" value="feedback" />
      <SiteSegments legend="Kind" name="topic" options={feedbackTopics} refused={refused} />
      <SiteText
        label="Message"
        name="message"
        rows="5"
        required
        maxlength={5000}
        hint="For a problem: what you did, what you expected, and what happened."
        refused={refused}
      />
      <SiteInput
        label="Email"
        name="email"
        note="optional, if you’d like a reply"
        type="email"
        autocomplete="email"
        maxlength={254}
        refused={refused}
      />
      <Trap />
      <div class="actions">
        <Button label="Send feedback" type="submit" variant="primary" size="lg" />
        <small>We receive only what you enter here.</small>
      </div>
    </form>
  </section>
)
