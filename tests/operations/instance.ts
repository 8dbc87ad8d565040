/** The client ID of each app that registers there. */
export const registeredClient = 'atrium'

/** An account on X, whose tokens don’t expire. */
export const accountOnX = '00000000-0000-4000-8000-0000000000c1'

/** A private key for DPoP proofs, from RFC 7515. */
export const proofKey = JSON.stringify({
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
  d: 'jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI',
})

/** The metadata of an authorization server of the AT Protocol. */
const metadataOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  pushed_authorization_request_endpoint: `${issuer}/oauth/par`,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  scopes_supported: ['atproto', 'transition:generic'],
  code_challenge_methods_supported: ['S256'],
  dpop_signing_alg_values_supported: ['ES256'],
  token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
})

const tokens = {
  client_id: registeredClient,
  client_secret: 'a secret',
  access_token: 'a token',
  token_type: 'DPoP',
  refresh_token: 'another token',
  scope: 'atproto transition:generic',
  sub: 'did:plc:abcdefghijklmnopqrstuvwx',
  request_uri: 'urn:ietf:params:oauth:request_uri:1',
}

/** The origin of a server that registers every app, as a Mastodon instance does, and signs every one in. */
export const instance: string = (() => {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) => {
      const { origin, pathname } = new URL(url)
      return Response.json(pathname.startsWith('/.well-known/') ? metadataOf(origin) : tokens)
    },
  })
  server.unref()
  return server.url.origin
})()
