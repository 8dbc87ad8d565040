import { z } from 'zod'
import { atLeast } from '#lib/actor.ts'
import { notFound } from '#lib/errors.ts'
import { page } from '#lib/page.ts'
import { OrganizationSettings } from '#views/identity/organization-settings.tsx'
import { Profile } from '#views/identity/profile.tsx'
import { whoAmI } from './current.ts'

const settings = { query: z.object({}), frame: 'settings' } as const

export const profilePage = page({
  ...settings,
  path: '/settings/profile',
  permission: 'signed-in',
  title: 'Profile',
  load: async (call) => ({ user: (await whoAmI(call)).user }),
  view: ({ user }) => <Profile user={user} />,
})

export const organizationPage = page({
  ...settings,
  path: '/settings/organization',
  permission: 'role:viewer',
  title: 'Organization',
  load: async (call) => {
    const { organization } = await whoAmI(call)
    if (!organization) throw notFound('organization')
    return { organization, mayWrite: atLeast(organization.role, 'owner') }
  },
  view: (shown) => <OrganizationSettings {...shown} />,
})
