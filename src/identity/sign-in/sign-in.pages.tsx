import { z } from 'zod'
import { page } from '#lib/page.ts'
import { redirect } from '#lib/reply.ts'
import { Login } from '#views/identity/sign-in/login.tsx'
import { Register } from '#views/identity/accounts/register.tsx'
import { listDemoAccounts, demoPassword, isDemoOffered } from '../accounts/demo.ts'
import { nextPage } from '../contract/fields.ts'
import { localPath } from '../http/local-path.ts'
import { findRemoteAuthority } from '../oauth/authority.ts'
import { offeredProviders } from './social-login/providers.ts'
import { troubleQuery } from './social-login/contract.ts'
import { findTrouble } from './social-login/trouble.ts'

const query = z.object({ next: nextPage, ...troubleQuery })

const publicPage = { permission: 'public', query, frame: 'door' } as const

export const loginPage = page({
  ...publicPage,
  path: '/login',
  title: 'Sign in',
  screen: 'login',
  load: async (call) => {
    const { actor, input, db, config } = call
    if (actor) return redirect(localPath(input.next))
    return {
      next: input.next && localPath(input.next),
      demo: await listDemoAccounts(db, config),
      providers: offeredProviders(config),
      trouble: await findTrouble(call, input),
      authority: findRemoteAuthority(call),
    }
  },
  view: ({ demo, ...props }) => <Login {...props} demo={{ people: demo, password: demoPassword }} />,
})

export const registerPage = page({
  ...publicPage,
  path: '/register',
  title: 'Create your account',
  load: async ({ actor, input, config }) =>
    actor
      ? redirect(localPath(input.next))
      : {
          next: input.next && localPath(input.next),
          demo: isDemoOffered(config),
          providers: offeredProviders(config),
        },
  view: (props) => <Register {...props} />,
})
