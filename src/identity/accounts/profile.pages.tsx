import { z } from 'zod'
import { page } from '#lib/page.ts'
import { Profile, type ProfileProps } from '#views/identity/accounts/profile.tsx'
import { listHouseholdInvitations, listHouseholds } from '../organizations/households/households.operations.tsx'
import { getProofMethods } from '../sign-in/second-factor/second-factor.operations.tsx'
import { getPreferences } from './preferences.operations.tsx'
import { me } from '../sign-in/sessions.operations.tsx'

export const profilePage = page({
  path: '/settings/profile',
  permission: 'signed-in',
  frame: 'settings',
  icon: 'user',
  quick: true,
  title: 'Profile',
  summary: 'Your name, theme, language of dates, time zone and data.',
  keywords: 'name email time zone clock language theme preferences delete account',
  query: z.object({}),
  load: async ({ ask, now }): Promise<ProfileProps> => {
    const [{ user }, preferences, ways, households, invitations] = await Promise.all([
      ask(me, {}),
      ask(getPreferences, {}),
      ask(getProofMethods, {}),
      ask(listHouseholds, {}),
      ask(listHouseholdInvitations, {}),
    ])
    return { user, preferences, now: now(), ways, households: households.items, invitations: invitations.items }
  },
  view: (props) => <Profile {...props} />,
})
