import { Notice } from '#views/ui/feedback.tsx'
import type { Children } from '@kitajs/html'

export interface Operator {
  name: string | null
  address: string[]
  email: string | null
  register: string[]
}

interface LegalProps {
  title: string
  path: string
  lead: string
  operator: Operator
  children: Children
}

const texts = [
  { label: 'Privacy', href: '/privacy' },
  { label: 'Terms', href: '/terms' },
  { label: 'Imprint', href: '/imprint' },
]

const Legal = ({ title, path, lead, operator, children }: LegalProps) => (
  <section class="counter" data-narrow>
    <header>
      <h1 safe>{title}</h1>
      <p class="lead" safe>
        {lead}
      </p>
      <nav class="tabs" aria-label="Texts">
        {texts.map(({ label, href }) => (
          <a href={href} aria-current={href === path ? 'page' : undefined} safe>
            {label}
          </a>
        ))}
      </nav>
    </header>
    <article class="text">
      {operator.name ? null : (
        <Notice
          tone="warning"
          title="This is a template"
          text="The operator of this server hasn’t entered a name and an address yet, and should have the text checked."
        />
      )}
      {children}
    </article>
  </section>
)

const nameOf = ({ name }: Operator): string => name ?? 'The operator of this server'

/** @param sentence Whether it stands alone. */
const Mail = ({ operator: { email }, sentence = false }: { operator: Operator; sentence?: boolean }) =>
  email ? (
    <a class="link" href={`mailto:${email}`} safe>
      {email}
    </a>
  ) : (
    <a class="link" href="/contact">
      {sentence ? 'Use the contact form' : 'the contact form'}
    </a>
  )

const Address = ({ operator }: { operator: Operator }) => (
  <address>
    {[nameOf(operator), ...operator.address].map((line) => (
      <>
        <span safe>{line}</span>
        <br />
      </>
    ))}
  </address>
)

export interface Kept {
  what: string
  why: string
  until: string
}

export const Privacy = ({ operator, kept }: { operator: Operator; kept: Kept[] }) => (
  <Legal
    title="Privacy"
    path="/privacy"
    lead="In short: we keep what the service needs, show you all of it, and delete it when you ask."
    operator={operator}
  >
    <h2>Who is responsible</h2>
    <Address operator={operator} />
    <p>
      For anything about data protection, write to <Mail operator={operator} />. The owner of an organization is
      responsible for what it publishes and keeps about its own customers. We process that on their behalf.
    </p>
    <h2>What we keep, and why</h2>
    <div class="scroll-x" tabindex="0" role="region" aria-label="What we keep">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Why</th>
            <th scope="col">Until</th>
          </tr>
        </thead>
        <tbody>
          {kept.map(({ what, why, until }) => (
            <tr>
              <td safe>{what}</td>
              <td safe>{why}</td>
              <td safe>{until}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    <h2>Networks you connect</h2>
    <p>
      When you connect an account, the network gives us a token and the account’s name. Tokens are stored encrypted and
      used for publishing and for what you see in Atrium. Disconnecting deletes the token.
    </p>
    <h2>Who else sees data</h2>
    <ul>
      <li>The networks that you publish to: your posts.</li>
      <li>The model providers that your organization uses: the text or image of each call.</li>
      <li>The payment provider, when you pay: name, address, and card. We never see the card’s number.</li>
      <li>The mail server that sends our emails: your address and the email’s content.</li>
    </ul>
    <h2>Cookies</h2>
    <p>
      One keeps you signed in. One recognizes the browser that started a checkout. Others remember your settings, such
      as theme and time zone. No analytics, and nothing from third parties.
    </p>
    <h2>Your rights</h2>
    <p>
      You can see, correct, export, and erase what we keep about you, most of it yourself in the settings. For the rest,
      write to <Mail operator={operator} />. You can also complain to the data protection authority where you live.
    </p>
  </Legal>
)

export const Terms = ({ operator }: { operator: Operator }) => (
  <Legal
    title="Terms"
    path="/terms"
    lead="What you get, what it costs, and what both sides can expect."
    operator={operator}
  >
    <h2>The contract</h2>
    <p
      safe
    >{`${nameOf(operator)} provides Atrium to you as a service. The contract begins when you create an organization.`}</p>
    <h2>Price and payment</h2>
    <p>
      The price per seat and month is the one that the checkout shows. On a server that sells no packages, an
      organization costs nothing.
    </p>
    <h2>What isn’t allowed</h2>
    <p>
      Don’t publish what is against the law or the rules of a network, don’t send unsolicited email, and don’t try to
      reach data of others. We can suspend an organization that does. No data is lost by that.
    </p>
    <h2>Your content</h2>
    <p>It stays yours. We use it only to do what you ask for, and not to train models.</p>
    <h2>Availability</h2>
    <p>There is no guaranteed availability. Backups exist, and you can export your data at any time.</p>
    <h2>The end</h2>
    <p>
      You can delete your organization in its settings. It is erased after 30 days, during which its owners can cancel
      the deletion.
    </p>
  </Legal>
)

export const Imprint = ({ operator }: { operator: Operator }) => (
  <Legal title="Imprint" path="/imprint" lead="Who runs this server." operator={operator}>
    <h2>Operator</h2>
    <Address operator={operator} />
    <h2>Contact</h2>
    <p>
      <Mail operator={operator} sentence />
    </p>
    {operator.register.length > 0 ? (
      <>
        <h2>Register and tax</h2>
        {operator.register.map((line) => (
          <p safe>{line}</p>
        ))}
      </>
    ) : null}
  </Legal>
)
