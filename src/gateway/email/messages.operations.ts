import { z } from 'zod'
import { forbidden } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { EmailMessage, EmailReceipt } from '../contract/email.ts'
import { acceptEmail } from './accept.ts'
import { EmailInput, emailBodyLimit } from './input.ts'
import { confirmEmail, getMessage } from './messages.ts'

const shared = { permission: 'service:invoke', services: true, limit: 'ingestion' } as const

export const sendEmailMessage = operation({
  ...shared,
  route: 'POST /platform/email/messages',
  summary: 'Send an email',
  input: EmailInput,
  output: EmailReceipt,
  creates: true,
  answers: { 202: EmailReceipt },
  body: { limit: emailBodyLimit },
  transaction: false,
  problems: {
    budget_exceeded: 402,
    delegation_refused: 403,
    email_exists: 409,
    malformed: 400,
    not_found: 404,
    organization_required: 400,
    sender_not_allowed: 403,
    sender_not_ready: 409,
  },
  example: { to: ['c@example.com'], subject: 'Hello', text: 'Your order is ready.' },
  run: async (call) => reply(202, await acceptEmail(call, call.input)),
})

export const getEmailMessage = operation({
  route: 'GET /platform/email/messages/:id',
  summary: 'Get an email’s status',
  permission: 'usage:read',
  services: true,
  input: z.object({ id: Id }),
  output: EmailMessage,
  run: (call) => getMessage(call, call.input.id),
})

export const confirmEmailMessage = operation({
  ...shared,
  route: 'POST /platform/email/messages/:id/confirm',
  summary: 'Confirm a held email',
  input: z.object({ id: Id }),
  output: EmailReceipt,
  audit: false,
  problems: { email_dropped: 409 },
  run: async (call) => {
    if (call.actor.tokenType !== 'service') throw forbidden('service')
    return confirmEmail(call, call.input.id)
  },
})
