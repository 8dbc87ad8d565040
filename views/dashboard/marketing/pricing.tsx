import { ButtonLink } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'

export interface PackageOffer {
  package: string
  /** Per seat and month, such as €9.00. */
  price: string
}

const packages = [
  { id: 'three', name: 'Three', apps: 'Three of our apps at once', for: 'For a brand that publishes.' },
  { id: 'five', name: 'Five', apps: 'Five of our apps at once', for: 'Publishing, AI spend, and payments.' },
  { id: 'ten', name: 'Ten', apps: 'Ten of our apps at once', for: 'Several brands and teams.' },
  { id: 'everything', name: 'Everything', apps: 'All of our apps, new ones included', for: 'Nothing to count.' },
]

export const Pricing = ({ offers }: { offers: PackageOffer[] }) => {
  const offered = packages.flatMap((each) => {
    const offer = offers.find((one) => one.package === each.id)
    return offer ? [{ ...each, offer }] : []
  })
  return (
    <>
      <section class="hero">
        <h1>Pay per seat, not per feature</h1>
        <p class="lead">Every package has every feature. They differ in how many of our apps you use at once.</p>
        {offered.length > 0 ? <Packages offered={offered} /> : <NoPrices />}
      </section>
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

const Packages = ({ offered }: PackagesProps) => (
  <>
    <ul class="plans">
      {offered.map(({ id, name, apps, for: sentence, offer: { price } }) => (
        <li class="plan">
          <h2 safe>{name}</h2>
          <span class="price">
            <span safe>{price}</span>
            <small> per seat, per month</small>
          </span>
          <b safe>{apps}</b>
          <span class="muted" safe>
            {sentence}
          </span>
          <ButtonLink label={`Choose ${name}`} href={`/checkout?package=${id}`} />
        </li>
      ))}
    </ul>
    <p class="small muted">Prices without taxes, which the checkout shows before you pay.</p>
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
    question: 'Can I run it myself?',
    answer: 'Yes, with every feature. You need Bun, and nothing else has to be installed.',
  },
  {
    question: 'Can I leave with my data?',
    answer: 'Yes. An export has your content as JSON and your media as files.',
  },
]
