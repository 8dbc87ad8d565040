import { letter } from './letter.tsx'

/** Asks whoever reads the mailbox to finish signing up. Nothing in it comes from whoever asked for it. */
export const confirmationLetter = (href: string) =>
  letter({
    subject: 'Confirm your e-mail address for Atrium',
    paragraphs: ['Someone signed up for Atrium with this e-mail address. If it was you, finish it now.'],
    action: { label: 'Finish signing up', href },
    notes: [
      'The link works once and for 24 hours.',
      'If it wasn’t you, ignore this mail: no account is made without the link.',
    ],
  })

/** Tells somebody who has an account that it was asked for again. */
export const knownAccountLetter = (href: string) =>
  letter({
    subject: 'You have an Atrium account already',
    paragraphs: [
      'Someone signed up for Atrium with this e-mail address, which has an account already. Nothing was changed.',
    ],
    action: { label: 'Sign in', href },
    notes: ['If it wasn’t you, you don’t need to do anything.'],
  })
