import { letter } from './letter.tsx'

/** Contains nothing from the requester, who can be anyone. */
export const magicLinkLetter = (href: string) =>
  letter({
    subject: 'Your Atrium sign-in link',
    paragraphs: ['Use this link to sign in to Atrium.'],
    action: { label: 'Sign in', href },
    notes: [
      'This link expires in 10 minutes and can be used once.',
      'If you didn’t request this, you can ignore this email. No one can sign in without the link.',
    ],
  })
