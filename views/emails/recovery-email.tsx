import { letter } from './letter.tsx'

/** Asks the owner of the mailbox to confirm it as a recovery address. */
export const recoveryLetter = (href: string) =>
  letter({
    subject: 'Confirm your recovery address for Atrium',
    paragraphs: [
      'Someone gave this address as the recovery address of their Atrium account. If it was you, confirm it now.',
    ],
    action: { label: 'Confirm the address', href },
    notes: [
      'The link works once and for 24 hours.',
      'If it wasn’t you, ignore this mail: nothing is ever mailed to an address that was not confirmed.',
    ],
  })
