import { z } from 'zod'
import { page } from '#lib/page.ts'
import { redirect } from '#lib/reply.ts'
import { Front } from '#views/shell/front.tsx'

/** The address without a path: a front page for strangers, one's posts for everyone else, and one's workspaces where one works in none. */
export const front = page({
  path: '/',
  permission: 'public',
  frame: 'plain',
  title: 'Atrium',
  query: z.object({}),
  load: async ({ actor, identity }) => {
    if (actor) return redirect(actor.organization ? '/workspace/posts' : '/settings/workspaces')
    return (await identity.hasAccounts()) ? {} : redirect('/register')
  },
  view: () => <Front />,
})
