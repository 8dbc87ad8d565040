import { letter } from './letter.tsx'

/** Contains nothing from the requester, who can be anyone. */
export const confirmationLetter = (href: string) =>
  letter({
    subject: 'Confirm your email address for Atrium',
    paragraphs: ['Thanks for signing up for Atrium. Confirm your email address to create your account.'],
    action: { label: 'Finish signing up', href },
    notes: [
      'This link expires in 24 hours and can be used once.',
      'If you didn’t sign up, you can ignore this email. No account is created unless you confirm.',
    ],
  })

export const knownAccountLetter = (href: string) =>
  letter({
    subject: 'You already have an Atrium account',
    paragraphs: [
      'Someone tried to sign up for Atrium with this email address, which already has an account. Nothing was changed.',
    ],
    action: { label: 'Sign in', href },
    notes: ['If this wasn’t you, you don’t need to do anything.'],
  })
