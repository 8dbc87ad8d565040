import { letter } from './letter.tsx'
import { mailName } from './name.ts'

interface EndingKey {
  name: string
  organization: string
  expiresAt: Date
  href: string
}

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

export const keyEndsLetter = ({ name, organization, ...rest }: EndingKey) =>
  keyEnds({ name: mailName(name), organization: mailName(organization), ...rest })

const keyEnds = ({ name, organization, expiresAt, href }: EndingKey) =>
  letter({
    subject: `The API key ${name} in ${organization} expires soon`,
    paragraphs: [
      `The API key ${name} in ${organization} expires on ${time.format(expiresAt)} UTC. Requests with this key will fail after that.`,
      'If you still need it, rotate it: you get a new key, and the old one can keep working until it expires.',
    ],
    action: { label: 'View API keys', href },
    notes: ['If you no longer need it, you don’t need to do anything.'],
  })
