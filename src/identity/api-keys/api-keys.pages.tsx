import { z } from 'zod'
import { page } from '#lib/page.ts'
import { Cursor } from '#lib/paginate.ts'
import { ApiKeys, keysPerPage, type ApiKeysProps } from '#views/identity/api-keys/api-keys.tsx'
import { getApiKeyOptions, listApiKeys } from './api-keys.operations.tsx'

export const apiKeysPage = page({
  path: '/settings/keys',
  permission: 'role:admin',
  frame: 'settings',
  header: 'own',
  icon: 'key-round',
  screen: 'keys',
  title: 'API keys',
  query: z.object({ cursor: Cursor }),
  load: async ({ ask, input: { cursor } }): Promise<ApiKeysProps> => {
    const [{ items, nextCursor }, options] = await Promise.all([
      ask(listApiKeys, { limit: keysPerPage, cursor }),
      ask(getApiKeyOptions, {}),
    ])
    return { keys: items, nextCursor, options }
  },
  view: (props) => <ApiKeys {...props} />,
})
