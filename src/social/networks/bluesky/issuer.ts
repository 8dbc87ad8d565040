import { z } from 'zod'
import { invalid, Problem } from '#lib/errors.ts'
import { ServerAddress } from '#lib/outbound/server-address.ts'
import type { ConnectCall } from '../network.ts'
import { requestServer } from './identity.ts'

/** An origin as servers write it, without a slash at the end. */
const Origin = z
  .string()
  .max(300)
  .refine((url) => ServerAddress.safeParse(url).data === url)
const Resource = z.object({ authorization_servers: z.tuple([Origin]) })

/**
 * The server that signs in the accounts of this one. A person can name such a server itself, which has no accounts, so
 * that it needs no document about them. @throws {Problem} 422 for a server without OAuth, 502
 */
export async function findIssuer(
  server: string,
  { outside, signal }: ConnectCall,
  { isAccount }: { isAccount: boolean },
): Promise<string> {
  const response = await requestServer(`the server ${server}`, () =>
    outside.fetch(new URL('/.well-known/oauth-protected-resource', server), {
      headers: { accept: 'application/json' },
      maxBytes: 64 * 1024,
      maxRedirects: 0,
      signal,
    }),
  )
  const { status } = response
  if (status >= 500 && status !== 501)
    throw new Problem(502, 'provider_error', `Bluesky: ${server} responded with ${status}. Try again in a moment.`)
  const resource = Resource.safeParse(status === 200 ? await response.json().catch(() => null) : null)
  if (resource.success) return resource.data.authorization_servers[0]
  if (!isAccount) return server
  const { host } = new URL(server)
  throw invalid([{ path: 'handle', message: `${host} doesn’t offer sign-in with OAuth. Use an app password.` }])
}
