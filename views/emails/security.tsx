import { letter } from './letter.tsx'

/** Notifies a person that the ways to sign in to their account changed. */
export const securityLetter = (happened: string[], href: string) =>
  letter({
    subject: 'The security of your Atrium account changed',
    paragraphs: happened,
    action: { label: 'See your security settings', href },
    notes: ['If it wasn’t you, change your password there and end the sessions that you don’t know.'],
  })

interface SignInPlace {
  device: string | null
  address: string | null
  at: Date
  href: string
}

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** Tells a person of a sign-in from a device that was new to their account. */
export const newDeviceLetter = ({ device, address, at, href }: SignInPlace) =>
  letter({
    subject: 'New sign-in to your Atrium account',
    paragraphs: [
      `Your account was signed in to with ${device ?? 'an unnamed program'}${address ? ` from ${address}` : ''} on ${time.format(at)} UTC. It was not used there before.`,
    ],
    action: { label: 'See your sessions', href },
    notes: [
      'If it was you, you don’t need to do anything.',
      'If it wasn’t you, end that session and change your password now.',
    ],
  })
