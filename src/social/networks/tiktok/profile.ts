import { z } from 'zod'
import { Problem } from '#lib/errors.ts'
import type { ConnectedAccount, ConsentCall } from '../network.ts'
import { readData, requestWith } from './api.ts'

const Info = z.object({
  user: z.object({ open_id: z.string().regex(/^[\w-]{1,100}$/), username: z.string().regex(/^[\w.]{1,50}$/) }),
})

/** @throws {Problem} 502 */
export async function getAccount(
  access: string,
  call: ConsentCall,
): Promise<Pick<ConnectedAccount, 'externalId' | 'name' | 'metadata'>> {
  const path = '/v2/user/info/?fields=open_id,username'
  const info = await requestWith(access, call, path, { method: 'GET' })
    .then((response) => (response.ok ? readData(response, Info) : null))
    .catch(() => null)
  if (!info) throw new Problem(502, 'provider_error', 'TikTok didn’t say whose account this is. Try again in a moment.')
  const { open_id: externalId, username } = info.user
  return { externalId, name: `@${username}`, metadata: { username } }
}
