import { z } from 'zod'
import { Problem } from '#lib/errors.ts'
import { plainText } from '#lib/text.ts'
import type { ConnectedAccount, ConsentCall } from '../network.ts'
import { api } from './api.ts'

const Member = z.object({ sub: z.string().regex(/^[\w-]{1,100}$/), name: plainText(200).min(1) })

/** @throws {Problem} 502 */
export async function getMember(
  access: string,
  { outside, signal }: ConsentCall,
): Promise<Pick<ConnectedAccount, 'externalId' | 'name' | 'metadata'>> {
  const response = await outside
    .fetch(outside.at(`${api}/v2/userinfo`), { headers: { authorization: `Bearer ${access}` }, signal })
    .catch(() => null)
  const member = Member.safeParse(response?.ok ? await response.json().catch(() => null) : null)
  if (!member.success)
    throw new Problem(502, 'provider_error', 'LinkedIn didn’t say whose account this is. Try again in a moment.')
  const { sub, name } = member.data
  return { externalId: sub, name, metadata: { author: `urn:li:person:${sub}` } }
}
