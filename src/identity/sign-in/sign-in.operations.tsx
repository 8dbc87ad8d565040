import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { LoginCard } from '#views/identity/sign-in/login.tsx'
import { demoPassword, isDemoOffered, listDemoAccounts } from '../accounts/demo.ts'
import { SignInOptions } from '../contract.ts'
import { findRemoteAuthority } from '../oauth/authority.ts'
import { offeredProviders } from './social-login/providers.ts'

export const getSignInOptions = operation({
  route: 'GET /api/auth/sign-in-options',
  summary: 'Get the sign-in options',
  permission: 'public',
  input: z.object({}),
  output: SignInOptions,
  run: async (call) => {
    const { config, db } = call
    return {
      providers: offeredProviders(config),
      authority: findRemoteAuthority(call) ?? null,
      demo: isDemoOffered(config) ? { password: demoPassword, people: await listDemoAccounts(db, config) } : null,
    }
  },
  view: (options) => <LoginCard options={options} />,
})
