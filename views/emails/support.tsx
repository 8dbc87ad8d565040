import { letter } from './letter.tsx'

interface Support {
  happened: string
  reason: string
  href: string
}

export const supportLetter = ({ happened, reason, href }: Support) =>
  letter({
    subject: 'Support changed your Atrium account',
    paragraphs: [`${happened} This change was made by a super admin of the platform.`, `Reason: ${reason}`],
    action: { label: 'Review security settings', href },
    notes: ['If you didn’t ask for this, change your password and contact the operator of this platform.'],
  })
