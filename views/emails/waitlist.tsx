import type { Letter } from '#lib/mail.ts'
import { letter } from './letter.tsx'

interface WaitlistLetterProps {
  /** Of the page that confirms the entry, and later deletes it. */
  url: string
  /** After which it is deleted when it isn’t confirmed. */
  days: number
}

/** Contains nothing that the visitor wrote, who can be anyone. */
export const waitlistLetter = ({ url, days }: WaitlistLetterProps): Letter =>
  letter({
    subject: 'Confirm your address for Atrium’s waitlist',
    paragraphs: ['You asked for an email when something on Atrium’s waitlist is ready.'],
    action: { label: 'Confirm your address', href: url },
    notes: [
      `You’re on the list once you confirm. Otherwise the address is deleted after ${days} days.`,
      'The same link takes you off the list later.',
      'If it wasn’t you, someone entered your address by mistake. You don’t need to do anything.',
    ],
  })
