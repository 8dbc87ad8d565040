import { ButtonLink } from '#views/ui/button.tsx'
import { Icon, type IconName } from '#views/ui/icon.tsx'
import { Scene } from './front-scene.tsx'
import { GatewayScene, IdentityScene, PaymentsScene, PublishScene } from './front-scenes.tsx'

/** What visitors see at `/`. */
export const Front = () => (
  <>
    <section class="hero">
      <h1>
        Posts go out once.
        <br /> Budgets hold.
        <br /> The books balance.
      </h1>
      <p class="lead">
        Atrium is one place for social publishing, AI and email spend, sign-in, and payments, with one dashboard over
        all of it. We host it, or you do.
      </p>
      <div class="actions">
        <ButtonLink label="Get started" variant="primary" size="lg" href="/pricing" />
        <ButtonLink label="Run it yourself" size="lg" href="#self-host" />
      </div>
      <Scene />
    </section>
    <section>
      <ul class="claims">
        {claims.map(({ icon, title, href, text }) => (
          <li>
            <Icon name={icon} />
            <h2>
              <a href={href} safe>
                {title}
              </a>
            </h2>
            <p safe>{text}</p>
          </li>
        ))}
      </ul>
    </section>
    {pitches.map((pitch) => (
      <Pitch {...pitch} />
    ))}
    <Audiences />
    <SelfHosting />
    <Limits />
    <section class="hero">
      <h2>Try it with next week’s posts</h2>
      <p class="lead">Connect Bluesky or Mastodon and publish within minutes. Neither needs an app review.</p>
      <div class="actions">
        <ButtonLink label="Get started" variant="primary" size="lg" href="/pricing" />
        <ButtonLink label="Book a demo" size="lg" href="/demo" />
      </div>
    </section>
  </>
)

const claims: { icon: IconName; title: string; href: string; text: string }[] = [
  {
    icon: 'megaphone',
    title: 'Publish',
    href: '#publish',
    text: 'Schedule a brand’s posts. Each goes out once, or tells you why it didn’t.',
  },
  {
    icon: 'gauge',
    title: 'Meter',
    href: '#gateway',
    text: 'AI, email, and video quota through one gateway, with budgets that can’t be exceeded.',
  },
  {
    icon: 'key-round',
    title: 'Sign in',
    href: '#identity',
    text: 'One identity for people, agents, and API keys. A revoked one is refused on its next call.',
  },
  {
    icon: 'wallet',
    title: 'Get paid',
    href: '#payments',
    text: 'Orders, refunds, and settlements on a ledger that balances.',
  },
]

interface PitchProps {
  id: string
  icon: IconName
  label: string
  title: string
  lead: string
  points: string[]
  scene: () => JSX.Element
}

const pitches: PitchProps[] = [
  {
    id: 'publish',
    icon: 'megaphone',
    label: 'Publish',
    title: 'Published once, even if the server dies halfway',
    lead: 'Atrium records every attempt before it calls a network. After a crash, it checks the network before it tries again.',
    points: [
      'Every post that was due is published, failed with a reason, or says what it waits for',
      'A thread’s next part waits for the one before it, and continues where it stopped',
      'A test network that fails on command comes with every server, so you can see it yourself',
    ],
    scene: PublishScene,
  },
  {
    id: 'gateway',
    icon: 'gauge',
    label: 'Gateway',
    title: 'One meter for every paid API',
    lead: 'Before a call starts, the gateway reserves the most it could cost. Afterwards it books what it did cost.',
    points: [
      'A hard limit holds, no matter how many calls run at once',
      'Usage, daily totals, and budgets agree, and one request verifies it',
      'The official OpenAI and Anthropic clients work unchanged: change their base URL',
    ],
    scene: GatewayScene,
  },
  {
    id: 'identity',
    icon: 'key-round',
    label: 'Identity',
    title: 'One sign-in for people, agents, and keys',
    lead: 'Passkeys, second factors, and sign-in links for people. Roles and brands for agents. Scopes for keys.',
    points: [
      'Revoke a key, and every server refuses its next call',
      'A refusal names the missing permission and who can grant it',
      'Your own apps can use it to sign people in, over OpenID Connect',
    ],
    scene: IdentityScene,
  },
  {
    id: 'payments',
    icon: 'wallet',
    label: 'Payments',
    title: 'Sales, refunds, and payouts that add up',
    lead: 'Every movement of money is a balanced entry in a hash-chained ledger. Refunds can’t exceed what was paid.',
    points: [
      'A payout that isn’t confirmed is shown as unknown and checked again, never guessed',
      'Differences from your payment provider’s books are listed with what to do',
      'Invoices with gapless numbers, taxes, and credit notes',
    ],
    scene: PaymentsScene,
  },
]

const Ticks = ({ points }: { points: string[] }) => (
  <ul class="ticks">
    {points.map((point) => (
      <li>
        <Icon name="check" />
        <span safe>{point}</span>
      </li>
    ))}
  </ul>
)

const Pitch = ({ id, icon, label, title, lead, points, scene: Drawn }: PitchProps) => (
  <section id={id} class="pitch">
    <div class="words">
      <p class="eyebrow">
        <Icon name={icon} />
        <span safe>{label}</span>
      </p>
      <h2 safe>{title}</h2>
      <p class="lead" safe>
        {lead}
      </p>
      <Ticks points={points} />
    </div>
    <Drawn />
  </section>
)

const audiences = [
  {
    title: 'Marketing teams',
    points: [
      'One draft for all accounts, with each network’s limits',
      'Scheduled in the brand’s time zone, daylight saving included',
      'Every attempt in the post’s history, with the reason of each failure',
    ],
  },
  {
    title: 'Operators',
    points: [
      'One process and one PostgreSQL. Add servers when you need them',
      'Backups while it runs',
      'An audit log and metrics from the first start',
    ],
  },
  {
    title: 'Developers',
    points: [
      'Every button is an API call, documented in OpenAPI 3.1',
      'Idempotency keys, and signed webhooks that you can replay',
      'An MCP server that gives agents what their key allows',
    ],
  },
]

const Audiences = () => (
  <section class="stack" style="--gap: 2.5rem">
    <h2>Made for the people who get the call when it breaks</h2>
    <ul class="claims">
      {audiences.map(({ title, points }) => (
        <li>
          <h3 safe>{title}</h3>
          <Ticks points={points} />
        </li>
      ))}
    </ul>
  </section>
)

const SelfHosting = () => (
  <section id="self-host" class="pitch">
    <div class="words">
      <p class="eyebrow">
        <Icon name="laptop" />
        Self-hosting
      </p>
      <h2>Run it yourself with one command</h2>
      <p class="lead">One server that brings its own PostgreSQL, with every feature. Nothing to configure to start.</p>
    </div>
    <div class="terminal">
      <pre tabindex="0" aria-label="Two commands: bun run start and bun run seed">
        <code>
          <b>bun run start</b>
          {'\n'}
          <i>Serves on http://127.0.0.1:3000</i>
          {'\n\n'}
          <b>bun run seed</b>
          {'\n'}
          <i># a demo organization: people in every role, posts in every state</i>
        </code>
      </pre>
    </div>
  </section>
)

const limits = [
  {
    title: 'Not every network.',
    text: 'Bluesky, Mastodon, and Discord connect in a minute. X, LinkedIn, Facebook Pages, Instagram, Threads, TikTok, and YouTube need the credentials of an app that is registered there.',
  },
  { title: 'No comment inbox.', text: 'You reply on the network itself.' },
  { title: 'No app store app.', text: 'The dashboard installs from the browser, on phones too.' },
  {
    title: 'No certificates.',
    text: 'Neither SOC 2 nor ISO 27001. You can read the audit log, the tests, and the source.',
  },
]

const Limits = () => (
  <section class="pitch">
    <div class="words">
      <h2>Before you sign up</h2>
      <p class="lead">You should hear what a tool can’t do before you pay for it.</p>
    </div>
    <ul class="ticks" data-size="lg">
      {limits.map(({ title, text }) => (
        <li data-no>
          <Icon name="x" />
          <span>
            <b safe>{title}</b> <span safe>{text}</span>
          </span>
        </li>
      ))}
    </ul>
  </section>
)
