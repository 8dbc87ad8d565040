import { letter } from './letter.tsx'
import { mailName } from './name.ts'

interface Invitation {
  inviter: string
  household: string
  href: string
}

/** Invites a person to a household. */
export const householdLetter = ({ inviter, household, href }: Invitation) =>
  letter({
    subject: `Invitation to join the household “${mailName(household)}” on Atrium`,
    paragraphs: [
      `${mailName(inviter)} invites you to join the household “${mailName(household)}” on Atrium.`,
      'Sign in with this email address. The invitation is in your profile for 7 days.',
    ],
    action: { label: 'Open your profile', href },
    notes: ['If you weren’t expecting this, you can ignore it.'],
  })
