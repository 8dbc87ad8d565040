import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { plainText } from '#lib/text.ts'
import { EmailAddress } from './address.ts'

const mebibyte = 1024 * 1024
export const maxRecipients = 50
const maxAttachments = 10
/** Of all attachments of an email together, decoded. */
const maxAttachmentBytes = 7 * mebibyte
/** Of the request: base64 takes a third more. */
export const emailBodyLimit = 12 * mebibyte

const addresses = z.array(EmailAddress).max(maxRecipients)
/** One line, as a header is. */
export const Subject = plainText(500)
  .trim()
  .regex(/^[^\r\n]*$/, 'Must be one line.')
const Body = plainText(mebibyte)

const AttachmentInput = z.object({
  name: plainText(200)
    .trim()
    .regex(/^[^\r\n/\\]+$/, 'Must be a file name.'),
  type: z.string().regex(/^[\w.+-]{1,60}\/[\w.+-]{1,80}$/, 'Must be a media type, such as application/pdf.'),
  content: z.base64('Must be base64.').describe('The file as base64.'),
})

export const TemplateName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,59}$/, 'Must be a name of lowercase letters, digits and hyphens, such as invoice-reminder.')

const Variables = z.record(
  z.string().regex(/^[a-zA-Z]\w{0,39}$/, 'Must be a name of letters, digits and underscores.'),
  z.union([plainText(10_000), z.number()]),
)

export const EmailInput = z
  .object({
    id: Id.optional().describe(
      'A UUID of the caller’s choice. Sent again with the same content, it returns the first response.',
    ),
    from: Id.optional().describe('The ID of a sender. Default: the default sender of the organization.'),
    to: addresses.min(1),
    cc: addresses.default([]),
    bcc: addresses.default([]),
    replyTo: EmailAddress.optional(),
    subject: Subject.optional(),
    text: Body.optional(),
    html: Body.optional(),
    template: TemplateName.optional().describe('The name of a template, which sets subject, text and html.'),
    variables: Variables.default({}),
    attachments: z.array(AttachmentInput).max(maxAttachments).default([]),
    system: z
      .boolean()
      .default(false)
      .describe('Only for services: an email of the platform, which budgets and suppressed addresses don’t stop.'),
    unsubscribe: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .optional()
      .describe('With `system`: where mail programs end such emails with one POST (RFC 8058).'),
    hold: z
      .boolean()
      .default(false)
      .describe('Only for services: it is sent once it is confirmed, and dropped after 24 hours.'),
  })
  .superRefine((input, context) => {
    const issue = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    const { to, cc, bcc, template, subject, text, html, attachments } = input
    const all = [...to, ...cc, ...bcc]
    if (all.length > maxRecipients) issue('to', `Must have at most ${maxRecipients} recipients with cc and bcc.`)
    if (template === undefined) {
      if (!subject) issue('subject', 'Required without a template.')
      if (!text && !html) issue('text', 'Required without html and a template.')
    } else if (subject !== undefined || text !== undefined || html !== undefined)
      issue('template', 'Can’t be combined with subject, text and html.')
    const bytes = attachments.reduce((sum, { content }) => sum + bytesOf(content), 0)
    if (bytes > maxAttachmentBytes)
      issue('attachments', `Must be at most ${maxAttachmentBytes / mebibyte} MiB together.`)
  })
export type EmailInput = z.output<typeof EmailInput>

/** Also for a text that turns out not to be base64. */
export function bytesOf(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  return Math.floor(((base64.length - padding) * 3) / 4)
}
