import { z } from 'zod'
import { notFound } from '#lib/errors.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { ConfirmEmail, EmailConfirmed, EmailStatus } from '#views/identity/accounts/email-change.tsx'
import { noReferrer } from '../../http/responses.ts'
import {
  EmailChange,
  EmailChangeConfirmation,
  EmailChangeLink,
  EmailChangePending,
  EmailChangeRequest,
  OwnEmail,
} from './contract.ts'
import { proofProblems } from '../../sign-in/second-factor/contract.ts'
import {
  cancelEmailChange as cancel,
  confirmEmailChange as confirm,
  findEmailChange,
  getOwnEmail,
  startEmailChange,
} from './email-change.ts'

export const getEmail = operation({
  route: 'GET /api/auth/me/email',
  summary: 'Get your email address and its pending change',
  permission: 'signed-in',
  input: z.object({}),
  output: OwnEmail,
  run: (call) => getOwnEmail(call),
  view: (email) => <EmailStatus email={email} />,
})

export const requestEmailChange = operation({
  route: 'POST /api/auth/me/email',
  summary: 'Request an email address change',
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
  view: async (_, { ask }) => <EmailStatus email={await ask(getEmail, {})} />,
})

export const cancelEmailChange = operation({
  route: 'DELETE /api/auth/me/email',
  summary: 'Cancel your email address change',
  permission: 'signed-in',
  input: z.object({}),
  output: z.null(),
  run: async (call) => {
    await cancel(call)
    return reply(204, null, { next: '/settings/security', toast: 'Email change canceled' })
  },
  view: async (_, call) => <EmailStatus email={await call.ask(getEmail, {})} />,
})

export const getEmailChange = operation({
  route: 'GET /api/auth/email-change/:token',
  summary: 'Get an email change by token',
  permission: 'public',
  limit: 'sign-in',
  headers: noReferrer,
  input: EmailChangeConfirmation,
  output: EmailChangeLink,
  problems: { not_found: 404 },
  run: async ({ db, input, now }) => {
    const change = await findEmailChange(db, input.token, now())
    if (!change) throw notFound('link')
    return change
  },
  view: (change, { input }) => <ConfirmEmail token={input.token} change={change} />,
})

export const confirmEmailChange = operation({
  route: 'POST /api/auth/email-change/confirm',
  summary: 'Confirm an email address change',
  permission: 'public',
  limit: 'sign-in',
  input: EmailChangeConfirmation,
  output: EmailChange,
  problems: { not_found: 404, email_taken: 409 },
  run: (call) => confirm(call, call.input.token),
  view: (change) => <EmailConfirmed change={change} />,
})
