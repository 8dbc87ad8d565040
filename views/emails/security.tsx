import { letter } from './letter.tsx'

/** Tells somebody that the ways to sign in to their account changed. */
export const securityLetter = (happened: string, href: string) =>
  letter({
    subject: 'The security of your Atrium account changed',
    paragraphs: [happened],
    action: { label: 'See your security settings', href },
    notes: ['If it wasn’t you, change your password there and end the sessions that you don’t know.'],
  })
