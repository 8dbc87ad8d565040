import { page } from '#lib/page.ts'
import { SsoReturn } from './contract.ts'
import { finishSocialLogin } from './social-login.redirect.ts'

/** Always redirects: its URL contains a code that must not stay in the address bar. */
export const ssoReturnPage = page({
  path: '/login/sso/:provider/callback',
  permission: 'public',
  frame: 'door',
  title: 'Signing in',
  query: SsoReturn,
  load: finishSocialLogin,
  view: () => <></>,
})
