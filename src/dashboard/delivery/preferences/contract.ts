import { z } from 'zod'
import { Flag, plainText } from '#lib/text.ts'
import { TimeZone } from '#lib/time.ts'

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be a time, such as 20:00.')
const channel = z.enum(['inApp', 'email', 'push'])
const frequency = z.enum(['immediate', 'hourly', 'daily'], 'Must be immediate, hourly or daily.')
const days = z.array(z.coerce.number().int().min(1).max(7)).max(7)

export const NotificationKindChoice = z.object({
  kind: z.string(),
  group: z.string(),
  title: z.string(),
  detail: z.string().nullable(),
  urgent: z.boolean().describe('Also sent during quiet hours, and not gathered.'),
  channels: z.object({ inApp: z.boolean(), email: z.boolean(), push: z.boolean() }),
  locked: z.array(channel).describe('Channels that can’t be turned off.'),
})
export type NotificationKindChoice = z.output<typeof NotificationKindChoice>

export const NotificationPreferences = z.object({
  email: z.boolean(),
  emailAddress: z.string(),
  push: z.boolean(),
  frequency: frequency.describe('How often emails are sent.'),
  dailyAt: clock.describe('When daily emails are sent, in your time zone.'),
  timeZone: z.string().describe('Your time zone, from your profile or your browser.'),
  quietHours: z.boolean(),
  quietFrom: clock,
  quietUntil: clock,
  quietDays: days.describe('Days on which quiet hours begin: 1 is Monday, 7 is Sunday.'),
  kinds: z.array(NotificationKindChoice).describe('What you can be notified of.'),
})
export type NotificationPreferences = z.output<typeof NotificationPreferences>

export const NotificationPreferencesEdit = z.object({
  email: Flag.optional(),
  push: Flag.optional(),
  frequency: frequency.optional(),
  dailyAt: clock.optional(),
  timeZone: TimeZone.optional().describe('For people without a time zone in their profile.'),
  quietHours: Flag.optional(),
  quietFrom: clock.optional(),
  quietUntil: clock.optional(),
  quietDays: z
    .preprocess((given) => (Array.isArray(given) ? given.filter((day) => day !== '') : given), days)
    .optional(),
  choices: z
    .array(
      z.object({
        kind: plainText(100),
        channel,
        enabled: Flag.default(false),
      }),
    )
    .max(300)
    .optional()
    .describe('Only those that change.'),
})
export type NotificationPreferencesEdit = z.output<typeof NotificationPreferencesEdit>
