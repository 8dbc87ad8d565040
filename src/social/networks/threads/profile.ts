import { z } from 'zod'
import { Problem } from '#lib/errors.ts'
import { requestWith } from '../graph/api.ts'
import { interpretRefusal } from '../graph/refusal.ts'
import type { ConnectedAccount, ConsentCall } from '../network.ts'
import { partialConsent } from '../oauth.ts'
import { api } from './api.ts'

const Profile = z.object({ id: z.string().regex(/^\d{1,30}$/), username: z.string().regex(/^[\w.]{1,50}$/) })

/** Threads doesn’t say what a person left out, so that the second permission is tried. @throws {Problem} 409, 502 */
export async function getAccount(
  access: string,
  call: ConsentCall,
): Promise<Pick<ConnectedAccount, 'externalId' | 'name' | 'metadata'>> {
  const profile = Profile.safeParse(await read(access, call, '/me', 'threads_basic', 'id,username'))
  if (!profile.success) throw unreadable()
  const { id, username } = profile.data
  await read(access, call, `/${id}/threads_publishing_limit`, 'threads_content_publish', 'quota_usage')
  return { externalId: id, name: `@${username}`, metadata: { username } }
}

async function read(access: string, call: ConsentCall, path: string, scope: string, fields: string): Promise<unknown> {
  const response = await requestWith(api, access, call, path, { query: { fields } }).catch(() => null)
  if (!response) throw unreadable()
  if (response.ok) return response.json().catch(() => null)
  const outcome = await interpretRefusal(api.name, response)
  if (outcome.kind === 'refused' && outcome.code === 'permission_missing') throw partialConsent(api.name, [scope])
  throw unreadable()
}

const unreadable = (): Problem =>
  new Problem(502, 'provider_error', 'Threads didn’t say whose account this is. Try again in a moment.')
