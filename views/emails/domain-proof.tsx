import { letter } from './letter.tsx'
import { mailName } from './name.ts'

export interface DomainFacts {
  organization: string
  domain: string
  record: { name: string; value: string }
  href: string
}

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

const recordOf = ({ record: { name, value } }: DomainFacts) => `Name: ${name} — Type: TXT — Value: ${value}`

/** Tells an owner that a domain's DNS record is gone. */
export const domainMissingLetter = (facts: DomainFacts & { endsAt: Date }) =>
  letter({
    subject: `The DNS record that verifies ${facts.domain} is missing`,
    paragraphs: [
      `${mailName(facts.organization)} verified ${facts.domain} with a DNS record that we can’t find any more. Your own sign-in for addresses at ${facts.domain} works until ${time.format(facts.endsAt)} UTC.`,
      `To keep it, add the record again. ${recordOf(facts)}`,
    ],
    action: { label: 'See your domains', href: facts.href },
    notes: ['If you gave up this domain or your own sign-in, remove the domain there.'],
  })

/** Tells an owner that a domain isn't verified any more. */
export const domainLostLetter = (facts: DomainFacts) =>
  letter({
    subject: `${facts.domain} isn’t verified any more`,
    paragraphs: [
      `The DNS record that verifies ${facts.domain} for ${mailName(facts.organization)} has been missing for three days. Your own sign-in no longer makes accounts at ${facts.domain}, and people whose accounts it made can’t sign in with it.`,
      `To verify the domain again, add the record and check it in your settings. ${recordOf(facts)}`,
    ],
    action: { label: 'See your domains', href: facts.href },
    notes: ['Nothing was deleted. People can also sign in by a link that we mail them.'],
  })

/** Tells an owner that another organization has verified a domain of theirs. */
export const domainTakenLetter = (facts: DomainFacts) =>
  letter({
    subject: `${facts.domain} isn’t verified any more`,
    paragraphs: [
      `Another organization has verified ${facts.domain}, and the DNS record that verified it for ${mailName(facts.organization)} is gone. Your own sign-in no longer makes accounts at ${facts.domain}, and people whose accounts it made can’t sign in with it.`,
      `If the domain is yours, check who can change its DNS records. Remove the other organization’s record, add yours and verify the domain again in your settings. ${recordOf(facts)}`,
    ],
    action: { label: 'See your domains', href: facts.href },
    notes: ['People can also sign in by a link that we mail them.'],
  })
