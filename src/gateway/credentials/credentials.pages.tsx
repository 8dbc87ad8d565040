import { z } from 'zod'
import { page } from '#lib/page.ts'
import { CredentialsPage } from '#views/gateway/credentials/page.tsx'
import { listProviderCredentials } from './credentials.operations.tsx'

export const credentialsPage = page({
  path: '/gateway/credentials',
  permission: 'usage:read',
  screen: 'gateway-keys',
  icon: 'key-round',
  title: 'Credentials',
  query: z.object({}),
  load: ({ ask }) => ask(listProviderCredentials, {}),
  view: (list) => <CredentialsPage list={list} />,
})
