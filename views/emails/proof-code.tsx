import { letter } from './letter.tsx'

export const proofCodeLetter = (code: string, href: string) =>
  letter({
    subject: 'Your Atrium verification code',
    paragraphs: [
      `Your code is ${code.slice(0, 4)} ${code.slice(4)}`,
      'Enter this code to confirm the change to your Atrium account.',
    ],
    action: { label: 'Open security settings', href },
    notes: [
      'This code expires in 10 minutes and can be used once. Don’t share it. We’ll never ask you for it.',
      'If you didn’t request this, sign out of any sessions you don’t recognize and change your password.',
    ],
  })
