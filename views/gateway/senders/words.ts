import type { RecordPurpose, RecordState, SenderDomain } from '#gateway/types'
import type { StatusLook } from '#views/ui/marks.tsx'

export const domainKinds: Record<SenderDomain['kind'], string> = {
  smtp: 'SMTP server',
  resend: 'Resend',
  cloudflare_email: 'Cloudflare Email',
  platform: 'The platform',
}

export const purposes: Record<RecordPurpose, string> = {
  ownership: 'Ownership',
  spf: 'SPF',
  dkim1: 'DKIM 1',
  dkim2: 'DKIM 2',
  dmarc: 'DMARC',
}

export const recordStates: Record<RecordState, StatusLook> = {
  correct: { state: 'published', icon: 'circle-check', word: 'Correct' },
  missing: { state: 'failed', icon: 'circle-alert', word: 'Not found' },
  mismatch: { state: 'waiting', icon: 'triangle-alert', word: 'Doesn’t match' },
  unchecked: { state: 'draft', icon: 'circle-dashed', word: 'Not checked' },
}

export const domainStates: Record<SenderDomain['status'], StatusLook> = {
  pending: { state: 'waiting', icon: 'hourglass', word: 'Waiting for DNS' },
  verified: { state: 'published', icon: 'circle-check', word: 'Verified' },
  failing: { state: 'failed', icon: 'circle-alert', word: 'Stopped verifying' },
}
