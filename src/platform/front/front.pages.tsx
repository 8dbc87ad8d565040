import { z } from 'zod'
import { page } from '#lib/page.ts'
import { redirect } from '#lib/reply.ts'
import { Front } from '#views/platform/front.tsx'
import { findHome, type Homes } from './find-home.ts'

/** Signed-in people are redirected to their home, else to their organizations. */
export const frontOf = (homes: Homes) =>
  page({
    path: '/',
    permission: 'public',
    frame: 'plain',
    title: 'Atrium',
    query: z.object({}),
    load: async (call) => {
      const { actor, identity } = call
      if (actor?.unmetRequirement) return redirect('/settings/security')
      if (actor) return redirect((await findHome(homes, call, actor)) ?? '/settings/workspaces')
      return (await identity.hasAccounts()) ? {} : redirect('/register')
    },
    view: () => <Front />,
  })
