import { letter } from './letter.tsx'
import { mailName } from './name.ts'

interface Invitation {
  inviter: string
  household: string
  href: string
}

export const householdLetter = ({ inviter, household, href }: Invitation) =>
  letter({
    subject: `Invitation to join the household “${mailName(household)}” on Atrium`,
    paragraphs: [
      `${mailName(inviter)} invited you to join the household “${mailName(household)}” on Atrium.`,
      'Sign in with this email address. You’ll find the invitation in your profile. It expires in 7 days.',
    ],
    action: { label: 'Open your profile', href },
    notes: ['If you weren’t expecting this email, you can ignore it.'],
  })
