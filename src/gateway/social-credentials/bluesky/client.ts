const documentPath = '/oauth/client-metadata.json'

/** To identify the account, and to publish: what an app password allows without direct messages. */
export const scope = 'atproto transition:generic'

/** The URL of the document that describes us to servers. */
export const confidentialClientId = (redirectUri: string): string => new URL(documentPath, redirectUri).href

interface Client {
  id: string
  /** Whether it authenticates with a key. */
  isConfidential: boolean
}

/**
 * The ID of our client, which is the URL of its document; on this very machine, one that needs no document. Null where
 * servers of others can’t know us: without https, or on another port.
 */
export function clientFor(redirectUri: string): Client | null {
  const { protocol, hostname, port } = new URL(redirectUri)
  if (protocol === 'https:' && port === '') return { id: confidentialClientId(redirectUri), isConfidential: true }
  if (protocol !== 'http:' || (hostname !== '127.0.0.1' && hostname !== '[::1]')) return null
  return { id: `http://localhost?${new URLSearchParams({ redirect_uri: redirectUri, scope })}`, isConfidential: false }
}
