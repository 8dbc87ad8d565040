import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { Cursor } from '#lib/paginate.ts'
import { ignoreInvalid, plainText } from '#lib/text.ts'
import { ApiKeyPage } from '#views/identity/api-keys/api-key.tsx'
import { ApiKeys, keysPerPage, type ApiKeysProps } from '#views/identity/api-keys/api-keys.tsx'
import { KeyMode, type ApiKeyDetail } from './contract.ts'
import { getApiKey, getApiKeyOptions, listApiKeys } from './api-keys.operations.tsx'

export const apiKeysPage = page({
  path: '/settings/keys',
  permission: 'role:admin',
  frame: 'settings',
  header: 'own',
  icon: 'key-round',
  screen: 'keys',
  quick: true,
  title: 'API keys',
  summary: 'Keys of programs and agents, their scopes and rotation.',
  keywords: 'tokens secrets agents',
  query: z.object({ q: ignoreInvalid(plainText(100)), mode: ignoreInvalid(KeyMode), cursor: Cursor }),
  load: async ({ ask, input: filter }): Promise<ApiKeysProps> => {
    const [{ items, nextCursor }, options] = await Promise.all([
      ask(listApiKeys, { ...filter, limit: keysPerPage }),
      ask(getApiKeyOptions, {}),
    ])
    return { keys: items, nextCursor, filter, options }
  },
  view: (props) => <ApiKeys {...props} />,
})

export const apiKeyPage = page({
  path: '/settings/keys/:id',
  permission: 'role:admin',
  frame: 'settings',
  header: 'own',
  screen: 'keys',
  title: ({ apiKey }: { apiKey: ApiKeyDetail }) => apiKey.name,
  query: z.object({ id: Id }),
  load: async ({ ask, input: { id } }) => ({ apiKey: await ask(getApiKey, { id }) }),
  view: (props) => <ApiKeyPage {...props} />,
})
