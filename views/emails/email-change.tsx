import { letter } from './letter.tsx'

const label = 'Confirm the change'
const once = 'The link works once and for 24 hours. Nothing changes before both mailboxes have confirmed it.'

/** Asks the mailbox that a person signs in with. */
export const oldAddressLetter = (href: string) =>
  letter({
    subject: 'Confirm your email change',
    paragraphs: ['Someone requested a new email address for your Atrium account. If it was you, confirm it here too.'],
    action: { label, href },
    notes: [once, 'If it wasn’t you, don’t: change your password and end the sessions that you don’t know.'],
  })

/** Asks the mailbox that they want instead. */
export const newAddressLetter = (href: string) =>
  letter({
    subject: 'Confirm your new email address for Atrium',
    paragraphs: ['Someone wants to sign in to Atrium with this address from now on. If it was you, confirm it.'],
    action: { label, href },
    notes: [once, 'If it wasn’t you, ignore this mail: nothing changes without the link.'],
  })

/** Notifies a person that their address was requested for another account. */
export const takenAddressLetter = (href: string) =>
  letter({
    subject: 'You already have an Atrium account',
    paragraphs: [
      'Someone wanted to use this address for another Atrium account. It has an account already, so nothing was changed.',
    ],
    action: { label: 'Sign in', href },
    notes: ['If it wasn’t you, you don’t need to do anything.'],
  })
