import { z } from 'zod'
import { nullFor404 } from '#lib/errors.ts'
import { page } from '#lib/page.ts'
import { Redirect, redirect, reply } from '#lib/reply.ts'
import { MagicLink } from '#views/identity/sign-in/magic-link.tsx'
import { MagicLinkRequest } from '#views/identity/sign-in/magic-link-request.tsx'
import { nextPage } from '../../contract/fields.ts'
import { localPath, noReferrer } from '../../http/responses.ts'
import { getMagicLink } from './magic-links.operations.tsx'
import { visitMagicLink } from './magic-link.redirect.ts'

export const magicLinkPage = page({
  path: '/magic-link/consume',
  limit: 'sign-in',
  permission: 'public',
  frame: 'door',
  title: 'Sign in',
  query: z.object({ token: z.string().max(200).catch('') }),
  load: async (call) => {
    const { ask, input } = call
    const link = await ask(getMagicLink, input).catch(nullFor404)
    const visit = await visitMagicLink(call)
    if (visit instanceof Redirect) return visit
    return visit === 'open'
      ? reply(200, { ...input, link }, { headers: noReferrer })
      : reply(404, { ...input, link: null }, { headers: noReferrer })
  },
  view: (props) => <MagicLink {...props} />,
})

export const magicLinkRequestPage = page({
  path: '/login/link',
  permission: 'public',
  frame: 'door',
  title: 'Sign in with email',
  query: z.object({ next: nextPage }),
  load: async ({ actor, input }) =>
    actor ? redirect(localPath(input.next)) : { next: input.next && localPath(input.next) },
  view: ({ next }) => <MagicLinkRequest next={next} />,
})
