import { letter } from './letter.tsx'
import { mailName } from './name.ts'

interface Invitation {
  inviter: string
  organization: string
  role: string
  href: string
}

/** Invites a person to an organization. The sender chose the names: they stand in our mail, so they carry no links. */
export const invitationLetter = ({ inviter, organization, role, href }: Invitation) =>
  letter({
    subject: `Invitation to join “${mailName(organization)}” on Atrium`,
    paragraphs: [`${mailName(inviter)} invites you to join “${mailName(organization)}” on Atrium as ${role}.`],
    action: { label: 'See the invitation', href },
    notes: [
      'The link works once, for 7 days, and only for this email address.',
      'If you weren’t expecting this, you can ignore it.',
    ],
  })
