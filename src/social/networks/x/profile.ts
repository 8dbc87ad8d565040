import { z } from 'zod'
import { Problem } from '#lib/errors.ts'
import type { ConnectedAccount, ConsentCall } from '../network.ts'
import { api } from './api.ts'

const legacyApi = 'https://api.twitter.com'

const Profile = z.object({
  data: z.object({
    id: z.string().regex(/^\d{1,20}$/),
    username: z.string().regex(/^\w{1,50}$/),
    subscription_type: z.string().catch('None'),
  }),
})

/** From the current API host, else from the legacy one (SOC-07). @throws {Problem} 502 */
export async function getAccount(
  access: string,
  call: ConsentCall,
): Promise<Pick<ConnectedAccount, 'externalId' | 'name' | 'metadata'>> {
  const profile = (await readProfile(api, access, call)) ?? (await readProfile(legacyApi, access, call))
  if (!profile) throw new Problem(502, 'provider_error', 'X didn’t say whose account this is. Try again in a moment.')
  const { id, username, subscription_type: subscription } = profile
  return {
    externalId: id,
    name: `@${username}`,
    metadata: { username, isSubscribed: subscription !== 'None' },
  }
}

async function readProfile(host: string, access: string, { outside, signal }: ConsentCall) {
  const response = await outside
    .fetch(outside.at(`${host}/2/users/me?user.fields=subscription_type`), {
      headers: { accept: 'application/json', authorization: `Bearer ${access}` },
      signal,
    })
    .catch(() => null)
  const profile = Profile.safeParse(response?.ok ? await response.json().catch(() => null) : null)
  return profile.success ? profile.data.data : null
}
