import { letter } from './letter.tsx'

interface Invitation {
  inviter: string
  household: string
  href: string
}

/** Asks somebody into a household. */
export const householdLetter = ({ inviter, household, href }: Invitation) =>
  letter({
    subject: `${inviter} invites you to the household ${household} on Atrium`,
    paragraphs: [
      `${inviter} invites you to join the household ${household} on Atrium.`,
      'Sign in with this e-mail address: the invitation stands in your profile for 7 days.',
    ],
    action: { label: 'Open your profile', href },
    notes: ['If you don’t know why you got this mail, ignore it: nothing happens.'],
  })
