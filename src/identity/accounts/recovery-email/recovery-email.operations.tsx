import { z } from 'zod'
import { notFound } from '#lib/errors.ts'
import { operation } from '#lib/operation.ts'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { isTarget } from '#lib/page.ts'
import { reply } from '#lib/reply.ts'
import { OnboardingPage, onboardingPlace } from '#views/identity/onboarding/onboarding.tsx'
import { ConfirmRecovery, RecoveryConfirmed, RecoveryStatus } from '#views/identity/accounts/recovery-email.tsx'
import { noReferrer } from '../../http/responses.ts'
import { drawStep } from '../onboarding/draw-onboarding.tsx'
import { getOnboarding } from '../onboarding/onboarding.operations.tsx'
import { RecoveryEmail, RecoveryEmailConfirmation, RecoveryEmailEdit, RecoveryEmailLink } from './contract.ts'
import { proofProblems } from '../../sign-in/second-factor/contract.ts'
import {
  confirmRecoveryEmail as confirm,
  findRecoveryLink,
  loadRecoveryEmail,
  setRecoveryEmail,
} from './recovery-email.ts'

export const getRecoveryEmail = operation({
  route: 'GET /api/auth/me/recovery-email',
  summary: 'Get your recovery email',
  permission: 'signed-in',
  input: z.object({}),
  output: RecoveryEmail,
  run: (call) => loadRecoveryEmail(call),
  view: (recovery) => <RecoveryStatus recovery={recovery} />,
})

export const updateRecoveryEmail = operation({
  route: 'PUT /api/auth/me/recovery-email',
  summary: 'Set or remove your recovery email',
  permission: 'signed-in',
  limit: 'sign-in',
  input: RecoveryEmailEdit,
  output: RecoveryEmail,
  transaction: false,
  problems: { too_many_mails: 429, ...proofProblems },
  example: { email: 'ada@home.example', password: 'correct horse battery' },
  run: async (call) => {
    const set = await setRecoveryEmail(call, call.input)
    const toast = {
      missing: 'Recovery email removed',
      pending: 'Check your email',
      verified: 'Recovery email confirmed',
    }[set.status]
    return reply(200, set, { next: '/settings/security', toast })
  },
  view: (recovery, call) =>
    isTarget(call, onboardingPlace) ? drawOnboarding(call) : <RecoveryStatus recovery={recovery} />,
})

async function drawOnboarding(call: Call<unknown, Actor>) {
  const onboarding = await call.ask(getOnboarding, {})
  return <OnboardingPage {...onboarding} {...await drawStep(call, onboarding, 'recovery')} />
}

export const getRecoveryEmailLink = operation({
  route: 'GET /api/auth/recovery-email/:token',
  summary: 'Get a recovery email by token',
  permission: 'public',
  limit: 'sign-in',
  headers: noReferrer,
  input: RecoveryEmailConfirmation,
  output: RecoveryEmailLink,
  problems: { not_found: 404 },
  run: async ({ db, input, now }) => {
    const email = await findRecoveryLink(db, input.token, now())
    if (!email) throw notFound('link')
    return { email }
  },
  view: (link, { input }) => <ConfirmRecovery token={input.token} link={link} />,
})

export const confirmRecoveryEmail = operation({
  route: 'POST /api/auth/recovery-email/confirm',
  summary: 'Confirm a recovery email',
  permission: 'public',
  limit: 'sign-in',
  input: RecoveryEmailConfirmation,
  output: RecoveryEmail,
  problems: { not_found: 404 },
  run: ({ db, input, now }) => confirm(db, input.token, now()),
  view: () => <RecoveryConfirmed />,
})
