import { letter } from './letter.tsx'

/** Lets a person reset their password. Contains nothing from the requester, who can be anyone. */
export const passwordResetLetter = (href: string) =>
  letter({
    subject: 'Choose a new password for Atrium',
    paragraphs: ['Someone asked to choose a new password for your Atrium account. If it was you, choose it now.'],
    action: { label: 'Choose a new password', href },
    notes: [
      'The link works once and for 30 minutes.',
      'If it wasn’t you, ignore this email. Your password won’t change.',
    ],
  })
