import { letter } from './letter.tsx'

export const recoveryLetter = (href: string) =>
  letter({
    subject: 'Confirm your recovery email for Atrium',
    paragraphs: [
      'This email address was added as the recovery email for an Atrium account. If this was you, confirm it.',
    ],
    action: { label: 'Confirm address', href },
    notes: [
      'This link expires in 24 hours and can be used once.',
      'If this wasn’t you, you can ignore this email. We don’t use an address that hasn’t been confirmed.',
    ],
  })
