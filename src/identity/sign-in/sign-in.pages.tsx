import { z } from 'zod'
import { page } from '#lib/page.ts'
import { redirect } from '#lib/reply.ts'
import { Login } from '#views/identity/sign-in/login.tsx'
import { Register } from '#views/identity/accounts/register.tsx'
import { nextPage } from '../contract/fields.ts'
import { localPath } from '../http/responses.ts'
import { startSignIn } from '../oauth/started-sign-in.redirect.ts'
import { getSignInOptions } from './sign-in.operations.tsx'
import { troubleQuery } from './social-login/contract.ts'
import { explainSignInFailure } from './social-login/social-login.operations.tsx'

const query = z.object({ next: nextPage, ...troubleQuery })

const publicPage = { permission: 'public', query, frame: 'door', screen: 'door' } as const

/** Services on whose hosts people only sign in by single sign-on (PAY-02). */
const redirecting = ['platform-pay']

export const loginPage = page({
  ...publicPage,
  path: '/login',
  title: 'Sign in',
  load: async (call) => {
    const { ask, actor, input } = call
    const { next, failure, ...failed } = input
    if (actor) return redirect(localPath(next))
    const started = failure === undefined ? startSignIn(call, next, redirecting) : null
    if (started) return started
    const [options, trouble] = await Promise.all([
      ask(getSignInOptions, {}),
      failure && ask(explainSignInFailure, { failure, ...failed }),
    ])
    return { next: next && localPath(next), options, trouble }
  },
  view: (props) => <Login {...props} />,
})

export const registerPage = page({
  ...publicPage,
  path: '/register',
  title: 'Create your account',
  load: async ({ ask, actor, input: { next } }) =>
    actor ? redirect(localPath(next)) : { next: next && localPath(next), options: await ask(getSignInOptions, {}) },
  view: (props) => <Register {...props} />,
})
