import { letter } from './letter.tsx'

const label = 'Confirm the change'
const once =
  'This link expires in 24 hours and can be used once. The change takes effect when you’ve confirmed it from both email addresses.'

export const oldAddressLetter = (href: string) =>
  letter({
    subject: 'Confirm your email change',
    paragraphs: [
      'We received a request to change the email address for your Atrium account. If this was you, confirm the change here too.',
    ],
    action: { label, href },
    notes: [
      once,
      'If this wasn’t you, don’t confirm. Change your password and sign out of any sessions you don’t recognize.',
    ],
  })

export const newAddressLetter = (href: string) =>
  letter({
    subject: 'Confirm your new email address for Atrium',
    paragraphs: [
      'We received a request to use this email address for an existing Atrium account. If this was you, confirm the change.',
    ],
    action: { label, href },
    notes: [once, 'If this wasn’t you, you can ignore this email. Nothing changes unless you confirm.'],
  })

export const takenAddressLetter = (href: string) =>
  letter({
    subject: 'You already have an Atrium account',
    paragraphs: [
      'Someone tried to use this email address for another Atrium account. Because it already belongs to your account, nothing was changed.',
    ],
    action: { label: 'Sign in', href },
    notes: ['If this wasn’t you, you don’t need to do anything.'],
  })
