import type { EmailEventType, MailStatus, RecipientState } from '#gateway/types'
import type { StatusLook } from '#views/ui/marks.tsx'

export const recipientStates: Record<RecipientState, StatusLook> = {
  queued: { state: 'scheduled', icon: 'clock', word: 'Queued' },
  deferred: { state: 'waiting', icon: 'hourglass', word: 'Deferred' },
  sent: { state: 'published', icon: 'check', word: 'Sent' },
  delivered: { state: 'published', icon: 'circle-check', word: 'Delivered' },
  bounced: { state: 'failed', icon: 'circle-alert', word: 'Bounced' },
  complained: { state: 'failed', icon: 'triangle-alert', word: 'Complaint' },
  suppressed: { state: 'draft', icon: 'circle-slash', word: 'Suppressed' },
  failed: { state: 'failed', icon: 'circle-alert', word: 'Failed' },
  dropped: { state: 'draft', icon: 'circle-slash', word: 'Not sent' },
}

export const tabs: readonly { status?: MailStatus; count: 'all' | MailStatus; label: string }[] = [
  { count: 'all', label: 'All' },
  { status: 'delivered', count: 'delivered', label: 'Delivered' },
  { status: 'queued', count: 'queued', label: 'Queued' },
  { status: 'bounced', count: 'bounced', label: 'Bounced' },
  { status: 'suppressed', count: 'suppressed', label: 'Suppressed' },
]

export const eventNames: Record<EmailEventType, string> = {
  accepted: 'Accepted',
  repeated: 'Repeated request ignored',
  attempt: 'Sending',
  sent: 'Accepted by the mail server',
  deferred: 'Deferred',
  delivered: 'Delivered',
  bounced: 'Bounced',
  complained: 'Reported as spam',
  suppressed: 'Not sent to a suppressed address',
  failed: 'Failed',
  dropped: 'Not sent',
}
