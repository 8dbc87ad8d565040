import { letter } from './letter.tsx'

/** Signs in the owner of the mailbox. Contains nothing from the requester, who can be anyone. */
export const magicLinkLetter = (href: string) =>
  letter({
    subject: 'Your link to sign in to Atrium',
    paragraphs: ['Someone requested a link to sign in to Atrium with this email address. If it was you, open it.'],
    action: { label: 'Sign in', href },
    notes: [
      'The link works once, for 10 minutes.',
      'If it wasn’t you, ignore this email. No one can sign in without the link.',
    ],
  })
