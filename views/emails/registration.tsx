import { letter } from './letter.tsx'

/** Asks whoever reads the mailbox to finish signing up. Nothing in it comes from whoever asked for it. */
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

/** Tells somebody who has an account that it was asked for again. */
export const knownAccountLetter = (href: string) =>
  letter({
    subject: 'You already have an Atrium account',
    paragraphs: [
      'Someone signed up for Atrium with this email address, which already has an account. Nothing was changed.',
    ],
    action: { label: 'Sign in', href },
    notes: ['If it wasn’t you, you don’t need to do anything.'],
  })
