import type { Kept } from '#views/dashboard/marketing/legal.tsx'
import { keptDays } from '../marketing/inquiries/contract.ts'

/** What the privacy page lists. */
export const keptData: Kept[] = [
  { what: 'Name, email address, passkeys', why: 'So that you can sign in', until: 'You delete your account' },
  { what: 'Posts and media', why: 'They are your work', until: 'You delete them' },
  { what: 'Who changed what, and when', why: 'So that a mistake can be traced', until: 'The organization is deleted' },
  { what: 'Messages and demo bookings', why: 'To reply to you', until: `${keptDays.message} days after they arrive` },
  {
    what: 'Waitlist entries',
    why: 'To tell you when it’s ready',
    until: `${keptDays.waitlist} days; ${keptDays.unconfirmed} if you don’t confirm`,
  },
]
