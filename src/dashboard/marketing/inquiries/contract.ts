import { z } from 'zod'
import { lineText, optionalField, plainText } from '#lib/text.ts'
import { Timestamp } from '#lib/time.ts'

/** Spam goes sooner, and what waits for a release later; `unconfirmed` is of waitlist entries. */
export const keptDays = { message: 365, waitlist: 730, unconfirmed: 7, spam: 30 } as const

export const Email = z
  .string('Enter your email address.')
  .trim()
  .toLowerCase()
  .max(254, 'Must have at most 254 characters.')
  .pipe(z.email('Enter a complete email address, such as name@example.com.'))

/** People never see this field, so only programs that fill in every field do. */
export const Honeypot = optionalField(plainText(500)).describe('Leave empty: whatever fills it in is ignored.')

export const Name = lineText(100, 'Enter your name.').min(1, 'Enter your name.')

export const messageKinds = ['contact', 'feedback'] as const
export const messageTopics = ['question', 'billing', 'security', 'press', 'problem', 'idea', 'praise'] as const

export const MessageInput = z
  .object({
    kind: z.enum(messageKinds).default('contact'),
    topic: optionalField(z.enum(messageTopics)),
    name: optionalField(Name).describe('Required for `contact`.'),
    email: optionalField(Email).describe('Required for `contact`: the reply goes there.'),
    message: plainText(5000, 'Enter a message.')
      .trim()
      .min(1, 'Enter a message.')
      .describe('At most 5,000 characters.'),
    website: Honeypot,
  })
  .superRefine(({ kind, name, email }, context) => {
    if (kind !== 'contact') return
    if (!name) context.addIssue({ code: 'custom', path: ['name'], message: 'Enter your name.' })
    if (!email)
      context.addIssue({ code: 'custom', path: ['email'], message: 'Enter your email address, so that we can reply.' })
  })
export type MessageInput = z.output<typeof MessageInput>

export const MessageReceipt = z.object({
  reference: z.string().describe('To mention when you write again, such as `C-3F9A2C`.'),
})
export type MessageReceipt = z.output<typeof MessageReceipt>

/** What isn’t there yet, and can be waited for. */
export const waitlistTopics = ['networks', 'video', 'calendar', 'hosting'] as const

export const WaitlistInput = z.object({
  email: Email,
  topics: z
    .array(z.enum(waitlistTopics))
    .min(1, 'Choose at least one.')
    .max(waitlistTopics.length)
    .describe('Each once. A later request replaces them until the address is confirmed.'),
  website: Honeypot,
})
export type WaitlistInput = z.output<typeof WaitlistInput>

export const WaitlistReceipt = z.object({
  email: z.string().describe('Gets an email with a link: the entry counts once it is confirmed there.'),
  topics: z.array(z.enum(waitlistTopics)),
})
export type WaitlistReceipt = z.output<typeof WaitlistReceipt>

export const WaitlistLink = z.object({ token: z.string().max(200).describe('Of the link in the email.') })

export const WaitlistEntry = z.object({
  email: z.string(),
  topics: z.array(z.enum(waitlistTopics)),
  confirmedAt: Timestamp.nullable().describe('null until the person confirms the address.'),
  expiresAt: Timestamp.describe('When it is deleted.'),
})
export type WaitlistEntry = z.output<typeof WaitlistEntry>
