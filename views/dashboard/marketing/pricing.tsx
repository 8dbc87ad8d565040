import { counted } from '#lib/text.ts'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { SiteInput } from './fields.tsx'

export interface PackageOffer {
  package: string
  /** Per seat and month, such as €9.00. */
  price: string
  /** Of the entered seats in a month. */
  total: string | null
}

interface PricingProps {
  offers: PackageOffer[]
  /** Undefined until they are entered. */
  seats: number | undefined
}

const packages = [
  { id: 'three', name: 'Three', apps: 'Three of our apps at once', for: 'For a brand that publishes.' },
  { id: 'five', name: 'Five', apps: 'Five of our apps at once', for: 'Publishing, AI spend, and payments.' },
  { id: 'ten', name: 'Ten', apps: 'Ten of our apps at once', for: 'Several brands and teams.' },
  { id: 'everything', name: 'Everything', apps: 'All of our apps, new ones included', for: 'Nothing to count.' },
]

export const Pricing = ({ offers, seats }: PricingProps) => {
  const offered = packages.flatMap((each) => {
    const offer = offers.find((one) => one.package === each.id)
    return offer ? [{ ...each, offer }] : []
  })
  return (
    <>
      <section class="hero">
        <h1>Pay per seat, not per feature</h1>
        <p class="lead">Every package has every feature. They differ in how many of our apps you use at once.</p>
        {offered.length > 0 ? <Packages offered={offered} seats={seats} /> : <NoPrices />}
      </section>
      {offered.length > 0 ? <Comparison offered={offered} /> : null}
      <section class="stack" style="--gap: 1.5rem">
        <h2>Questions</h2>
        <div class="faq">
          {questions.map(({ question, answer }) => (
            <details>
              <summary safe>{question}</summary>
              <p safe>{answer}</p>
            </details>
          ))}
        </div>
        <div class="actions">
          <ButtonLink label="Book a demo" href="/demo" />
          <ButtonLink label="Write to us" variant="ghost" href="/contact" />
        </div>
      </section>
    </>
  )
}

interface PackagesProps {
  offered: ((typeof packages)[number] & { offer: PackageOffer })[]
}

const Packages = ({ offered, seats }: PackagesProps & Pick<PricingProps, 'seats'>) => (
  <>
    <Seats seats={seats} />
    <ul class="plans" id="packages">
      {offered.map(({ id, name, apps, for: sentence, offer: { price, total } }) => (
        <li class="plan">
          <h2 safe>{name}</h2>
          <span class="price">
            <span safe>{price}</span>
            <small> per seat, per month</small>
          </span>
          {total && seats ? <span safe>{`${total} a month for ${counted(seats, 'seat')}`}</span> : null}
          <b safe>{apps}</b>
          <span class="muted" safe>
            {sentence}
          </span>
          <ButtonLink label={`Choose ${name}`} href={`/checkout?package=${id}${seats ? `&seats=${seats}` : ''}`} />
        </li>
      ))}
    </ul>
    <p class="small muted">The payment page shows the total, with any taxes, before you confirm.</p>
  </>
)

/** A plain form, so that it works without scripts. */
const Seats = ({ seats }: Pick<PricingProps, 'seats'>) => (
  <form class="inline-form" method="get" action="/pricing#packages">
    <SiteInput
      label="Seats"
      note="people and agents"
      name="seats"
      type="number"
      inputmode="numeric"
      min="1"
      max="10000"
      value={String(seats ?? 1)}
      required
    />
    <Button label="Show totals" type="submit" />
  </form>
)

const features: { name: string; detail?: string; hosted: string | boolean; own: string | boolean }[] = [
  { name: 'Apps by others, and your own', hosted: 'no limit', own: 'no limit' },
  {
    name: 'Brands, accounts and scheduled posts',
    detail: 'The limits of networks still apply',
    hosted: 'no limit',
    own: 'no limit',
  },
  { name: 'Hard budgets and usage export', hosted: true, own: true },
  { name: 'API keys, webhooks and MCP', hosted: true, own: true },
  { name: 'Passkeys, second factors and audit log', hosted: true, own: true },
  { name: 'Updates and backups', hosted: 'us', own: 'you' },
  { name: 'Uptime guarantee', hosted: false, own: false },
  { name: 'SOC 2, ISO 27001', hosted: false, own: false },
]

const counts: Record<string, string> = { three: '3', five: '5', ten: '10', everything: 'all' }

/** The packages differ in their first row; the last column is a server that you run. */
const Comparison = ({ offered }: PackagesProps) => (
  <section class="stack" style="--gap: 1.5rem">
    <h2>The packages differ in one row</h2>
    <p class="lead">Larger packages don’t unlock features. The last column is Atrium on your own server.</p>
    <div class="scroll-x" tabindex="0" role="region" aria-label="Packages compared">
      <table class="table compare">
        <thead>
          <tr>
            <th scope="col">
              <span class="visually-hidden">Feature</span>
            </th>
            {offered.map(({ name, offer: { price } }) => (
              <th scope="col">
                <span safe>{name}</span>
                <small safe>{price}</small>
              </th>
            ))}
            <th scope="col">
              Your server<small>free</small>
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">Our apps at once</th>
            {offered.map(({ id }) => (
              <td safe>{counts[id]}</td>
            ))}
            <td>all</td>
          </tr>
          {features.map(({ name, detail, hosted, own }) => (
            <tr>
              <th scope="row">
                <span safe>{name}</span>
                {detail ? <small safe>{detail}</small> : null}
              </th>
              {offered.map(() => (
                <Has value={hosted} />
              ))}
              <Has value={own} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </section>
)

const Has = ({ value }: { value: string | boolean }) =>
  typeof value === 'string' ? <td safe>{value}</td> : <td>{value ? <Yes /> : 'no'}</td>

const Yes = () => (
  <>
    <Icon name="check" />
    <span class="visually-hidden">yes</span>
  </>
)

const NoPrices = () => (
  <>
    <Notice
      title="This server sells no packages"
      text="Creating an organization here is free. All features are included."
    />
    <div class="actions">
      <ButtonLink label="Create an organization" variant="primary" size="lg" href="/register" />
    </div>
  </>
)

const questions = [
  {
    question: 'Which apps count?',
    answer:
      'The ones we make, such as publishing, the gateway, and payments. Apps by others and apps you build don’t count.',
  },
  {
    question: 'Who needs a seat?',
    answer: 'Everyone who signs in to your organization, and every agent. Your customers don’t need one.',
  },
  {
    question: 'What does AI cost?',
    answer: 'What the provider charges. You use your own keys, and set limits that a request can’t exceed.',
  },
  {
    question: 'Is there a free version?',
    answer:
      'A free organization has one seat and no paid apps. It costs $1 a year, only to verify that there’s a person behind it. On your own server, everything is free.',
  },
  {
    question: 'Can I change the package or the seats later?',
    answer: 'Yes, in the settings under Billing. You see the new price before you confirm.',
  },
  {
    question: 'Can I run it myself?',
    answer: 'Yes, with every feature. You need Bun, and nothing else has to be installed.',
  },
  {
    question: 'Can I leave with my data?',
    answer: 'Yes. An export has your content as JSON and your media as files.',
  },
]
