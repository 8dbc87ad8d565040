import { z } from 'zod'
import { page } from '#lib/page.ts'
import { redirect } from '#lib/reply.ts'
import { Login } from '#views/identity/login.tsx'
import { Register } from '#views/identity/register.tsx'
import { localPath } from './next.ts'

const query = z.object({ next: z.string().max(2000).optional().catch(undefined) })

const door = { permission: 'public', query, frame: 'door', screen: 'identity' } as const

export const loginPage = page({
  ...door,
  path: '/login',
  title: 'Sign in',
  load: async ({ actor, input }) =>
    actor ? redirect(localPath(input.next)) : { next: input.next && localPath(input.next) },
  view: ({ next }) => <Login next={next} />,
})

export const registerPage = page({
  ...door,
  path: '/register',
  title: 'Create your workspace',
  load: async ({ actor, input }) =>
    actor ? redirect(localPath(input.next)) : { next: input.next && localPath(input.next) },
  view: ({ next }) => <Register next={next} />,
})
