import { letter } from './letter.tsx'

interface Invitation {
  inviter: string
  organization: string
  role: string
  href: string
}

/** Asks somebody into an organization. */
export const invitationLetter = ({ inviter, organization, role, href }: Invitation) =>
  letter({
    subject: `${inviter} invites you to ${organization} on Atrium`,
    paragraphs: [`${inviter} invites you to join ${organization} on Atrium as ${role}.`],
    action: { label: 'See the invitation', href },
    notes: [
      'The link works once, for 7 days, and only for this e-mail address.',
      'If you don’t know why you got this mail, ignore it: nothing happens.',
    ],
  })
