import { z } from 'zod'
import { notFound } from '#lib/errors.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { ConfirmRegistrationForm } from '#views/identity/accounts/confirm-registration.tsx'
import { CheckMailbox } from '#views/identity/accounts/check-mailbox.tsx'
import { register as registerAccount } from '../accounts.ts'
import {
  Confirmation,
  InvitationToken,
  Registration,
  RegistrationLink,
  RegistrationPending,
  ResendRequest,
  SignUpResult,
} from '../../contract.ts'
import { keepsMails } from '#lib/mail.ts'
import { noReferrer } from '../../http/responses.ts'
import { signIn } from '../../sign-in/sign-in.ts'
import { createRegistration, completeRegistration, findRegistration, resendConfirmation } from './pending.ts'

const pending = (email: string) => ({ status: 'verification_sent' as const, email })

export const register = operation({
  route: 'POST /register',
  summary: 'Sign up',
  permission: 'public',
  limit: 'sign-in',
  input: Registration,
  output: z.union([SignUpResult, RegistrationPending]),
  answers: { 201: SignUpResult, 202: RegistrationPending },
  problems: { email_taken: 409, slug_taken: 409, busy: 503 },
  creates: true,
  secrets: ['accessToken', 'refreshToken'],
  transaction: false,
  example: {
    email: 'ada@example.com',
    password: 'correct horse battery',
    name: 'Ada',
    createOrganization: true,
    organizationName: 'Acme',
  },
  run: async (call) => {
    const { input, config } = call
    if (!config.REGISTRATION_VERIFY)
      return signIn(call, 201, await registerAccount(call, input), { how: 'registration', next: input.next })
    const cookie = await createRegistration(call, input)
    return reply(202, pending(input.email), { cookies: [cookie] })
  },
  view: (answer, call) =>
    'status' in answer ? <CheckMailbox email={answer.email} keepsMail={keepsMails(call.config)} /> : <></>,
})

export const resendRegistration = operation({
  route: 'POST /register/resend',
  summary: 'Resend the sign-up confirmation',
  permission: 'public',
  limit: 'sign-in',
  input: ResendRequest,
  output: RegistrationPending,
  transaction: false,
  example: { email: 'ada@example.com' },
  run: async (call) => {
    await resendConfirmation(call, call.input.email)
    return reply(200, pending(call.input.email), { toast: 'Email sent. Check your spam folder, too' })
  },
  view: ({ email }, call) => <CheckMailbox email={email} keepsMail={keepsMails(call.config)} />,
})

export const getRegistration = operation({
  route: 'GET /api/auth/registrations/:token',
  summary: 'Get a sign-up by token',
  permission: 'public',
  limit: 'sign-in',
  headers: noReferrer,
  input: InvitationToken,
  output: RegistrationLink,
  problems: { not_found: 404 },
  run: async (call) => {
    const registration = await findRegistration(call, call.input.token)
    if (!registration) throw notFound('link')
    return registration
  },
  view: (registration, { input }) => <ConfirmRegistrationForm token={input.token} registration={registration} />,
})

export const confirmRegistration = operation({
  route: 'POST /register/confirm',
  summary: 'Confirm a sign-up',
  permission: 'public',
  limit: 'sign-in',
  input: Confirmation,
  output: SignUpResult,
  creates: true,
  secrets: ['accessToken', 'refreshToken'],
  transaction: false,
  problems: { not_found: 404, email_taken: 409, busy: 503 },
  run: async (call) => signIn(call, 201, await completeRegistration(call, call.input), { how: 'registration' }),
})
