import { expect } from 'bun:test'
import type { Publisher } from '../../../support/publisher.ts'

interface AppCredentials {
  provider: string
  clientId: string
  clientSecret: string
  mode?: 'live' | 'test'
}

/** Stores the app of the organization. */
export const storeApp = (ada: Publisher, { provider, clientId, clientSecret, mode = 'live' }: AppCredentials) =>
  ada.call('PUT', `/api/credentials/${provider}`, {
    level: 'organization',
    label: 'Main',
    mode,
    secret: { clientId, clientSecret },
  })

export const beginConnecting = async (
  ada: Publisher,
  provider: string,
  form: Record<string, unknown> = {},
): Promise<string> => {
  const path = `/api/integrations/${provider}/connect`
  return (await ada.call<{ authorizeUrl: string }>('POST', path, { brandId: ada.brandId, ...form }, 201)).authorizeUrl
}

/** Requests a page as a browser does. */
export const fetchPage = (ada: Publisher, address: URL | string): Promise<Response> =>
  fetch(new URL(address, ada.url), {
    headers: { authorization: `Bearer ${ada.token}`, accept: 'text/html' },
    redirect: 'manual',
  })

export const drawPage = async (ada: Publisher, address: URL | string): Promise<string> =>
  (await fetchPage(ada, address)).text()

/** Begins again with the button of a page on which nothing can be chosen; returns the URL of the consent page. */
export async function connectAgain(ada: Publisher, drawn: string): Promise<string> {
  const [, path = ''] = /<form[^>]* action="(\/api\/integrations\/[a-z-]+\/connect)"/.exec(drawn) ?? []
  expect(drawn).toContain('Connect again')
  const hidden = drawn.matchAll(/<input type="hidden" name="(brandId|unsavedId)" value="([^"]+)"/g)
  const values = Object.fromEntries([...hidden].map(([, name = '', value]) => [name, value]))
  return (await ada.call<{ authorizeUrl: string }>('POST', path, values, 201)).authorizeUrl
}

/** Returns from the consent page as a browser does; returns the redirect URL. */
export async function comeBack(ada: Publisher, address: string): Promise<URL> {
  const response = await fetchPage(ada, address)
  expect(response.status).toBe(303)
  return new URL(response.headers.get('location') ?? '', ada.url)
}

interface Connected {
  id: string
  health: string
  expiresAt: string | null
  scopes: string[]
  account: { id: string; name: string }
}

export async function findConnected(ada: Publisher, externalId: string): Promise<Connected> {
  const { items } = await ada.call<{ items: Connected[] }>('GET', '/api/accounts?limit=100')
  const found = items.find(({ account }) => account.id === externalId)
  if (!found) throw new Error(`${externalId} is not connected`)
  return found
}
