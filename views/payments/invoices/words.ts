import type { Invoice, InvoiceDetails, InvoiceTab } from '#payments/types'
import type { IconName } from '#views/ui/icon.tsx'
import type { StatusLook } from '#views/ui/marks.tsx'
import { money } from '../money.ts'

export const invoiceStates: Record<Invoice['status'] | 'overdue', StatusLook> = {
  draft: { state: 'draft', icon: 'circle-dashed', word: 'Draft' },
  open: { state: 'waiting', icon: 'clock', word: 'Open' },
  overdue: { state: 'failed', icon: 'circle-alert', word: 'Overdue' },
  paid: { state: 'published', icon: 'circle-check', word: 'Paid' },
  void: { state: 'draft', icon: 'circle-slash', word: 'Void' },
  issued: { state: 'scheduled', icon: 'undo-2', word: 'Credited' },
}

export const stateOf = ({ status, overdueDays }: Invoice): StatusLook =>
  invoiceStates[status === 'open' && overdueDays > 0 ? 'overdue' : status]

export const tabNames: Record<InvoiceTab, string> = {
  draft: 'Drafts',
  open: 'Open',
  overdue: 'Overdue',
  paid: 'Paid',
  void: 'Void',
  credit_note: 'Credit notes',
}

export const numberText = ({ number }: Pick<Invoice, 'number'>): string => number ?? 'Draft'

export const documentName = ({ kind }: Pick<Invoice, 'kind'>): string =>
  kind === 'invoice' ? 'Invoice' : 'Credit note'

export const buyerText = ({ buyer: { name, email } }: Pick<Invoice, 'buyer'>): string => name ?? email ?? 'Guest'

/** A credit note takes back. */
export const signedTotal = ({ kind, total, currency }: Invoice): string =>
  money(kind === 'credit_note' ? -total : total, currency)

interface EventLook {
  icon: IconName
  state: string
  title: string
}

export const eventLooks: Record<InvoiceDetails['timeline'][number]['kind'], EventLook> = {
  created: { icon: 'circle-dashed', state: 'draft', title: 'Created' },
  issued: { icon: 'file-text', state: 'scheduled', title: 'Issued' },
  sent: { icon: 'send', state: 'scheduled', title: 'Sent' },
  paid: { icon: 'circle-check', state: 'published', title: 'Paid' },
  paid_outside: { icon: 'circle-check', state: 'published', title: 'Marked as paid' },
  credited: { icon: 'undo-2', state: 'scheduled', title: 'Credit note issued' },
  voided: { icon: 'circle-slash', state: 'failed', title: 'Voided' },
  overdue: { icon: 'alarm-clock', state: 'failed', title: 'Overdue' },
}
