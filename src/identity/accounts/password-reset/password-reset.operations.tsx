import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { ChooseNewPassword } from '#views/identity/accounts/password-reset.tsx'
import { LinkMailed } from '#views/identity/accounts/mailed-link.tsx'
import { keepsMails } from '#lib/mail.ts'
import { noReferrer } from '../../http/responses.ts'
import {
  PasswordReset,
  PasswordResetLink,
  PasswordResetRequest,
  PasswordResetSent,
  PasswordResetToken,
} from './contract.ts'
import { getReset, requestReset, resetPassword } from './password-reset.ts'

export const requestPasswordReset = operation({
  route: 'POST /api/auth/password-reset',
  summary: 'Email a password reset link',
  permission: 'public',
  limit: 'sign-in',
  input: PasswordResetRequest,
  output: PasswordResetSent,
  answers: { 202: PasswordResetSent },
  transaction: false,
  example: { email: 'ada@example.com' },
  run: async (call) => {
    await requestReset(call, call.input.email)
    return reply(202, { status: 'reset_sent' as const, email: call.input.email })
  },
  view: ({ email }, call) => <LinkMailed email={email} minutes={30} keepsMail={keepsMails(call.config)} />,
})

export const getPasswordReset = operation({
  route: 'GET /api/auth/password-reset/:token',
  summary: 'Get the account for a password reset link',
  permission: 'public',
  limit: 'sign-in',
  headers: noReferrer,
  input: PasswordResetToken,
  output: PasswordResetLink,
  problems: { not_found: 404 },
  run: (call) => getReset(call, call.input.token),
  view: (reset, { input }) => <ChooseNewPassword token={input.token} reset={reset} />,
})

export const confirmPasswordReset = operation({
  route: 'POST /api/auth/password-reset/confirm',
  summary: 'Reset a password with an emailed link',
  permission: 'public',
  limit: 'sign-in',
  input: PasswordReset,
  output: z.null(),
  transaction: false,
  problems: { not_found: 404, busy: 503 },
  run: async (call) => {
    await resetPassword(call, call.input)
    return reply(204, null, { next: '/login', toast: 'Password changed. Sign in with your new password' })
  },
})
