import { z } from 'zod'
import { Problem } from '#lib/errors.ts'
import { requestWith } from '../graph/api.ts'
import type { ConnectedAccount, ConsentCall } from '../network.ts'
import { api } from './api.ts'
import { subjectOf } from './subject.ts'

const Id = z.string().regex(/^\d{1,30}$/)
const Profile = z.object({ id: Id, user_id: Id, username: z.string().regex(/^[\w.]{1,50}$/) })

/** @throws {Problem} 502 */
export async function getAccount(
  access: string,
  call: ConsentCall,
): Promise<Pick<ConnectedAccount, 'externalId' | 'name' | 'metadata'>> {
  const query = { fields: 'id,user_id,username' }
  const response = await requestWith(api, access, call, '/me', { query }).catch(() => null)
  const profile = Profile.safeParse(response?.ok ? await response.json().catch(() => null) : null)
  if (!profile.success)
    throw new Problem(502, 'provider_error', 'Instagram didn’t say whose account this is. Try again in a moment.')
  const { id, user_id: externalId, username } = profile.data
  return { externalId, name: `@${username}`, metadata: { username, subjects: [subjectOf(id), subjectOf(externalId)] } }
}
