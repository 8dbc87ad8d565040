import { letter } from './letter.tsx'

/** The code by which a person without a password confirms a change of their account. */
export const proofCodeLetter = (code: string, href: string) =>
  letter({
    subject: 'Your code to change your Atrium account',
    paragraphs: [
      `Your code is ${code.slice(0, 4)} ${code.slice(4)}`,
      'Someone signed in to your account asked for this code to change it. If it was you, type it there.',
    ],
    action: { label: 'Open your security settings', href },
    notes: [
      'The code works once, for 10 minutes. Don’t share it: we never ask for it.',
      'If it wasn’t you, end the sessions that you don’t know.',
    ],
  })
