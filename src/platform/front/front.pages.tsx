import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { scopeOf } from '#lib/http/hosts.ts'
import { page } from '#lib/page.ts'
import { redirect } from '#lib/reply.ts'
import { Front } from '#views/platform/front.tsx'

const isSocialHere = ({ hosts, request }: Call): boolean =>
  scopeOf(hosts, request.url.hostname).isOpen({ slug: 'platform-socialize' })

/** `/`: the front page for visitors, the posts of a signed-in person, or their organizations when they can't read posts. */
export const front = page({
  path: '/',
  permission: 'public',
  frame: 'plain',
  title: 'Atrium',
  query: z.object({}),
  load: async (call) => {
    const { actor, identity } = call
    if (actor?.barred) return redirect('/settings/security')
    if (actor) return redirect(actor.organization && isSocialHere(call) ? '/workspace/posts' : '/settings/workspaces')
    return (await identity.hasAccounts()) ? {} : redirect('/register')
  },
  view: () => <Front />,
})
