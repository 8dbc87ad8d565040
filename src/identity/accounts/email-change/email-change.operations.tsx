import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { EmailConfirmed } from '#views/identity/accounts/email-change.tsx'
import { EmailChange, EmailChangeConfirmation, EmailChangePending, EmailChangeRequest } from './contract.ts'
import { proofProblems } from '../../sign-in/second-factor/contract.ts'
import { startEmailChange, cancelEmailChange as cancel, confirmEmailChange as confirm } from './email-change.ts'

export const requestEmailChange = operation({
  route: 'POST /api/auth/me/email',
  summary: 'Request a change of your email address',
  permission: 'signed-in',
  limit: 'sign-in',
  input: EmailChangeRequest,
  output: EmailChangePending,
  answers: { 202: EmailChangePending },
  transaction: false,
  problems: { too_many_mails: 429, ...proofProblems },
  example: { email: 'ada@example.org', password: 'correct horse battery' },
  run: async (call) => {
    await startEmailChange(call, call.input)
    const pending = { status: 'confirmation_sent' as const, email: call.input.email }
    return reply(202, pending, { next: '/settings/security', toast: 'Check both inboxes' })
  },
})

export const cancelEmailChange = operation({
  route: 'DELETE /api/auth/me/email',
  summary: 'Cancel the change of your email address',
  permission: 'signed-in',
  input: z.object({}),
  output: z.null(),
  run: async (call) => {
    await cancel(call)
    return reply(204, null, { next: '/settings/security', toast: 'Email change canceled' })
  },
})

export const confirmEmailChange = operation({
  route: 'POST /api/auth/email-change/confirm',
  summary: 'Confirm a change of email address',
  permission: 'public',
  limit: 'sign-in',
  input: EmailChangeConfirmation,
  output: EmailChange,
  problems: { not_found: 404, email_taken: 409 },
  run: (call) => confirm(call, call.input.token),
  view: (change) => <EmailConfirmed change={change} />,
})
