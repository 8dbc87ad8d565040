import { letter } from './letter.tsx'
import { mailName } from './name.ts'

interface Invitation {
  inviter: string
  organization: string
  role: string
  href: string
}

/** The sender chose the names: `mailName` keeps links out of them. */
export const invitationLetter = ({ inviter, organization, role, href }: Invitation) =>
  letter({
    subject: `Invitation to join “${mailName(organization)}” on Atrium`,
    paragraphs: [`${mailName(inviter)} invited you to join “${mailName(organization)}” on Atrium as ${role}.`],
    action: { label: 'View invitation', href },
    notes: [
      'This link expires in 7 days, can be used once, and only works for this email address.',
      'If you weren’t expecting this email, you can ignore it.',
    ],
  })
