import { letter } from './letter.tsx'
import { mailName } from './name.ts'

interface EndingKey {
  name: string
  organization: string
  expiresAt: Date
  href: string
}

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** Tells the owner of an API key that it ends soon. */
export const keyEndsLetter = ({ name, organization, ...rest }: EndingKey) =>
  keyEnds({ name: mailName(name), organization: mailName(organization), ...rest })

const keyEnds = ({ name, organization, expiresAt, href }: EndingKey) =>
  letter({
    subject: `The API key ${name} of ${organization} ends soon`,
    paragraphs: [
      `The API key ${name} of ${organization} ends on ${time.format(expiresAt)} UTC. What uses it is refused from then on.`,
      'If it is still needed, rotate it: a new key takes its place, and the old one can work on until it ends.',
    ],
    action: { label: 'See the API keys', href },
    notes: ['If it is no longer needed, you don’t need to do anything.'],
  })
