import { page } from '#lib/page.ts'
import { UpstreamReturn } from './contract.ts'
import { finishSocialLogin } from './social-login.redirect.ts'

/** Always redirects: its URL contains a code that must not stay in the address bar. */
export const upstreamReturnPage = page({
  path: '/login/upstream/:provider/callback',
  permission: 'public',
  frame: 'door',
  title: 'Signing in',
  query: UpstreamReturn,
  load: finishSocialLogin,
  view: () => <></>,
})
