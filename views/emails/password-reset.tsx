import { letter } from './letter.tsx'

/** Contains nothing from the requester, who can be anyone. */
export const passwordResetLetter = (href: string) =>
  letter({
    subject: 'Reset your Atrium password',
    paragraphs: ['We received a request to reset the password for your Atrium account.'],
    action: { label: 'Choose a new password', href },
    notes: [
      'This link expires in 30 minutes and can be used once.',
      'If you didn’t request this, you can ignore this email. Your password won’t change.',
    ],
  })
