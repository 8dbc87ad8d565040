import { letter } from './letter.tsx'

/** Notifies a person that the ways to sign in to their account changed. */
export const securityLetter = (happened: string[], href: string) =>
  letter({
    subject: 'Security settings for your Atrium account changed',
    paragraphs: happened,
    action: { label: 'Review security settings', href },
    notes: ['If this wasn’t you, change your password and sign out of any sessions you don’t recognize.'],
  })

interface SignInPlace {
  device: string | null
  address: string | null
  at: Date
  href: string
}

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

export const newDeviceLetter = ({ device, address, at, href }: SignInPlace) =>
  letter({
    subject: 'New sign-in to your Atrium account',
    paragraphs: [
      `Your account was accessed from a new device: ${device ?? 'unknown device'}${address ? `, ${address}` : ''}, on ${time.format(at)} UTC.`,
    ],
    action: { label: 'Review sessions', href },
    notes: [
      'If this was you, you don’t need to do anything.',
      'If this wasn’t you, sign out that session and change your password now.',
    ],
  })
