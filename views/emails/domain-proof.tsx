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

export const domainMissingLetter = (facts: DomainFacts & { endsAt: Date }) =>
  letter({
    subject: `The DNS record that verifies ${facts.domain} is missing`,
    paragraphs: [
      `${mailName(facts.organization)} verified ${facts.domain} with a DNS record that we can no longer find. Single sign-on for email addresses at ${facts.domain} works until ${time.format(facts.endsAt)} UTC.`,
      `To keep it working, add the record again. ${recordOf(facts)}`,
    ],
    action: { label: 'Open domain settings', href: facts.href },
    notes: ['If you no longer use this domain or single sign-on, remove the domain in your settings.'],
  })

export const domainLostLetter = (facts: DomainFacts) =>
  letter({
    subject: `${facts.domain} is no longer verified`,
    paragraphs: [
      `The DNS record that verifies ${facts.domain} for ${mailName(facts.organization)} has been missing for three days. Single sign-on no longer creates accounts for email addresses at ${facts.domain}, and people whose accounts it created can’t use it to sign in.`,
      `To verify the domain again, add the record, then select Verify in your settings. ${recordOf(facts)}`,
    ],
    action: { label: 'Open domain settings', href: facts.href },
    notes: ['Nothing was deleted. People can still sign in with an email link.'],
  })

export const domainTakenLetter = (facts: DomainFacts) =>
  letter({
    subject: `${facts.domain} is no longer verified`,
    paragraphs: [
      `Another organization has verified ${facts.domain}, and the DNS record that verified it for ${mailName(facts.organization)} is gone. Single sign-on no longer creates accounts for email addresses at ${facts.domain}, and people whose accounts it created can’t use it to sign in.`,
      `If the domain is yours, check who can change its DNS records. Remove the other organization’s record, add yours and verify the domain again in your settings. ${recordOf(facts)}`,
    ],
    action: { label: 'Open domain settings', href: facts.href },
    notes: ['People can still sign in with an email link.'],
  })
