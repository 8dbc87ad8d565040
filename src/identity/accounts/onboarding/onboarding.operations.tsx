import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { Milestones } from '#views/identity/accounts/onboarding.tsx'
import { Onboarding } from './contract.ts'
import { findOnboarding } from './onboarding.ts'

export const getOnboarding = operation({
  route: 'GET /api/auth/me/onboarding',
  summary: 'Get the steps of your onboarding',
  permission: 'signed-in',
  personal: false,
  input: z.object({}),
  output: Onboarding,
  run: (call) => findOnboarding(call),
  view: (onboarding) => <Milestones {...onboarding} />,
})
