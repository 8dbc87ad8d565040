import { letter } from './letter.tsx'

/** Asks the owner of the mailbox to finish signing up. Contains nothing from the requester, who can be anyone. */
export const confirmationLetter = (href: string) =>
  letter({
    subject: 'Confirm your email address for Atrium',
    paragraphs: ['Someone signed up for Atrium with this email address. If it was you, finish now.'],
    action: { label: 'Finish signing up', href },
    notes: [
      'The link works once and for 24 hours.',
      'If it wasn’t you, ignore this email. No account is created without the link.',
    ],
  })

/** Notifies a person with an account of another sign-up with their address. */
export const knownAccountLetter = (href: string) =>
  letter({
    subject: 'You already have an Atrium account',
    paragraphs: [
      'Someone signed up for Atrium with this email address, which already has an account. Nothing was changed.',
    ],
    action: { label: 'Sign in', href },
    notes: ['If it wasn’t you, you don’t need to do anything.'],
  })
