import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import type { Context } from '#lib/context.ts'
import { scopeOf } from '#lib/http/routes.ts'
import { page } from '#lib/page.ts'
import { redirect } from '#lib/reply.ts'
import { Front } from '#views/platform/front.tsx'

/** Signed-in people are redirected to the first open home, else to their organizations. */
export const frontOf = (product: readonly Context[]) =>
  page({
    path: '/',
    permission: 'public',
    frame: 'plain',
    title: 'Atrium',
    query: z.object({}),
    load: async (call) => {
      const { actor, identity } = call
      if (actor?.unmetRequirement) return redirect('/settings/security')
      if (actor) return redirect((actor.organization && homeOf(product, call)) ?? '/settings/workspaces')
      return (await identity.hasAccounts()) ? {} : redirect('/register')
    },
    view: () => <Front />,
  })

function homeOf(product: readonly Context[], { hosts, request }: Call): string | undefined {
  const scope = scopeOf(hosts, request.url.hostname)
  return product.find((context) => context.home !== undefined && scope.isOpen(context))?.home
}
