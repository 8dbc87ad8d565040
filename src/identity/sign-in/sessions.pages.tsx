import { z } from 'zod'
import { page } from '#lib/page.ts'
import { Cursor } from '#lib/paginate.ts'
import { Sessions, sessionsPerPage, type SessionsProps } from '#views/identity/sign-in/sessions.tsx'
import { listRefusedSignIns, listSessions } from './security.operations.tsx'

export const sessionsPage = page({
  path: '/settings/sessions',
  permission: 'signed-in',
  frame: 'settings',
  icon: 'monitor',
  title: 'Sessions',
  summary: 'Devices that are signed in, and signing them out.',
  keywords: 'devices browsers',
  header: 'own',
  query: z.object({ cursor: Cursor }),
  load: async ({ ask, input: { cursor } }): Promise<SessionsProps> => {
    const [{ items, nextCursor }, failed] = await Promise.all([
      ask(listSessions, { limit: sessionsPerPage, cursor }),
      ask(listRefusedSignIns, {}),
    ])
    return { sessions: items, nextCursor, failed: failed.items }
  },
  view: (props) => <Sessions {...props} />,
})
