import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { optionalField, plainText } from '#lib/text.ts'
import { Timestamp } from '#lib/time.ts'
import { inquiryKinds, inquiryStates } from '../../schema/marketing.ts'
import { Email } from '../inquiries/contract.ts'

export const InboxItem = z.object({
  id: Id,
  reference: z.string(),
  kind: z.enum(inquiryKinds),
  topics: z.array(z.string()),
  name: z.string().nullable(),
  email: z.string().nullable(),
  message: z.string().nullable(),
  state: z.enum(inquiryStates),
  handledBy: Id.nullable().describe('The super admin who changed the state last.'),
  handledAt: Timestamp.nullable(),
  confirmedAt: Timestamp.nullable().describe('Of a waitlist entry: when its address was confirmed.'),
  createdAt: Timestamp,
  expiresAt: Timestamp.describe('When it is deleted.'),
  demo: z
    .object({
      startsAt: Timestamp,
      endsAt: Timestamp,
      timeZone: z.string(),
      state: z.enum(['booked', 'canceled']),
    })
    .nullable()
    .describe('Of a demo booking.'),
})
export type InboxItem = z.output<typeof InboxItem>

export const InboxFilter = z.object({
  q: optionalField(plainText(100).trim()).describe(
    'Beginnings of words of a name, an address or a message, the domain of an address, or a reference.',
  ),
  kind: optionalField(z.enum(inquiryKinds)),
  state: optionalField(z.enum(inquiryStates)),
  ...paging,
})
export type InboxFilter = z.output<typeof InboxFilter>

export const InboxList = listOf(InboxItem)

export const InboxExport = InboxFilter.omit({ cursor: true, limit: true })

export const InboxChange = z.object({ id: Id, state: z.enum(inquiryStates) })

export const VisitorErasure = z.object({ email: Email })

export const ErasedVisitor = z.object({ erased: z.int().describe('Messages, entries and bookings of the address.') })

export const AdminSessionInput = z.object({
  code: z
    .string('Enter a code from your authenticator app.')
    .trim()
    .min(6, 'Enter a code from your authenticator app.')
    .max(30),
})

export const AdminSession = z.object({ expiresAt: Timestamp })

export const CurrentAdminSession = z.object({ expiresAt: Timestamp.nullable().describe('null without one.') })
