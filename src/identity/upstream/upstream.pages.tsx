import { page } from '#lib/page.ts'
import { UpstreamReturn } from './contract.ts'
import { finishSocialLogin } from './signing-in.ts'

/** Where providers send people back to. It always leads on: its address holds what nobody else should read. */
export const upstreamReturnPage = page({
  path: '/login/upstream/:provider/callback',
  permission: 'public',
  frame: 'door',
  title: 'Signing in',
  query: UpstreamReturn,
  load: finishSocialLogin,
  view: () => <></>,
})
