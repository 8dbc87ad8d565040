import { z } from 'zod'
import { page } from '#lib/page.ts'
import { reply } from '#lib/reply.ts'
import { SsoCallback } from '#views/identity/oauth/callback.tsx'
import { callbackPath, noReferrer } from '../http/responses.ts'
import { endedSignIn, readStartedSignIn } from './started-sign-in.redirect.ts'

/** On each host (IDN-04). The identity client redeems the code in its URL. */
export const callbackPage = page({
  path: callbackPath,
  permission: 'public',
  frame: 'door',
  title: 'Signing you in',
  query: z.object({}),
  load: async (call) => {
    const started = readStartedSignIn(call)
    return reply(200, { started }, { headers: noReferrer, ...(started && { cookies: [endedSignIn] }) })
  },
  view: ({ started }) => <SsoCallback started={started} />,
})
