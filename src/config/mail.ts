import { z } from 'zod'
import { address } from './values.ts'

/** How mails are sent. */
export const mailSettings = {
  SMTP_URL: address(/^smtps?$/, 'smtp://user:password@mail.example.com:587').optional(),
  /** By default `Atrium` at PUBLIC_URL's host. */
  MAIL_FROM: z
    .string()
    .regex(/^[^<>\r\n]*<?[^<>@\s]+@[^<>@\s]+>?$/, 'Must be an email address, such as Atrium <atrium@example.com>.')
    .optional(),
  /** What domains of organizations allow in their SPF records when they send through SMTP_URL. By default its host. */
  MAIL_SPF: z
    .string()
    .regex(/^(include|a|mx|ip4|ip6|exists):[\w.:/-]+$/, 'Must be a mechanism of SPF, such as include:_spf.example.com.')
    .optional(),
}
