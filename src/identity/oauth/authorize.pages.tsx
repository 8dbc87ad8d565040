import { page } from '#lib/page.ts'
import { Authorize } from '#views/identity/oauth/authorize.tsx'
import { answerAuthorization } from './authorize.redirect.ts'
import { AuthorizeRequest } from './contract.ts'
import { getAuthorization } from './oauth.operations.tsx'

/** The authorization endpoint (IDN-23). Redirects at once unless the person must decide something. */
export const authorizePage = page({
  path: '/sso/authorize',
  permission: 'public',
  frame: 'door',
  screen: 'door',
  title: 'Sign in',
  query: AuthorizeRequest,
  load: async (call) =>
    (await answerAuthorization(call)) ?? {
      request: call.input,
      authorization: await call.ask(getAuthorization, call.input),
    },
  view: (props) => <Authorize {...props} />,
})
