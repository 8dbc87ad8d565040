import { z } from 'zod'
import { page } from '#lib/page.ts'
import { redirect } from '#lib/reply.ts'
import { Front } from '#views/platform/front.tsx'
import { findHome, type Homes } from './home.redirect.ts'
import { redirectToSetUp } from './set-up.redirect.ts'

/** Signed-in people are redirected to their home, else to their organizations. */
export const frontOf = (homes: Homes) =>
  page({
    path: '/',
    permission: 'public',
    frame: 'site',
    title: 'Posts go out once, budgets hold, the books balance',
    description:
      'One place for social publishing, AI and email spend with hard budgets, sign-in, and payments. Hosted by us or by you.',
    query: z.object({}),
    load: async (call) => {
      const { actor, identity } = call
      if (actor?.unmetRequirement) return redirect('/settings/security')
      const setUp = actor && (await redirectToSetUp(call))
      if (setUp) return setUp
      if (actor) return redirect((await findHome(homes, call, actor)) ?? '/settings/workspaces')
      return (await identity.hasAccounts()) ? {} : redirect('/register')
    },
    view: () => <Front />,
  })
