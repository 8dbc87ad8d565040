import { z } from 'zod'
import { plainText } from '#lib/text.ts'
import { requestWith } from '../graph/api.ts'
import type { ConsentCall, Metadata, Refusal } from '../network.ts'
import type { OAuthTarget } from '../oauth.ts'
import { api, placeOf, StoredId } from './api.ts'

/** Meta ended the Groups API on 22 April 2024, in all versions. */
const withdrawal = 'Meta withdrew publishing to Groups in April 2024'

const WithGroup = z.object({ groupId: StoredId })

export const warnOfGroups = (metadata: Metadata): string | null =>
  WithGroup.safeParse(metadata).success ? `${withdrawal}: expect Facebook to refuse posts to this Group.` : null

const Groups = z.object({ data: z.array(z.object({ id: StoredId, name: plainText(200).min(1) })) })

/** The Groups that a person administers; none where Facebook no longer lists them. Their permission is never requested. */
export async function listGroups(access: string, call: ConsentCall): Promise<OAuthTarget[]> {
  const query = { fields: 'id,name', limit: '100' }
  const response = await requestWith(api, access, call, '/me/groups', { query }).catch(() => null)
  const found = Groups.safeParse(response?.ok ? await response.json().catch(() => null) : null)
  return (found.data?.data ?? []).map(({ id, name }) => ({
    profile: { externalId: id, name, metadata: { groupId: id, groups: [{ id, name }] } },
    detail: 'Group',
    refusal: null,
    warning: `${withdrawal}: expect Facebook to refuse posts to it.`,
  }))
}

/** What Facebook says about a Group that it no longer publishes to is about permissions, or about the request. */
export function nameWithdrawal<Outcome extends { kind: string }>(
  metadata: Metadata,
  outcome: Outcome,
): Outcome | Refusal {
  if (!isFinalRefusal(outcome) || !placeOf(metadata).isGroup) return outcome
  return {
    ...outcome,
    code: 'network_withdrew_groups',
    message: `${withdrawal}, and refused this post. Publish it in the Group yourself, or choose a Page.`,
  }
}

const unspecific = new Set(['permission_missing', 'provider_refused'])

const isFinalRefusal = (outcome: { kind: string }): outcome is Refusal =>
  outcome.kind === 'refused' &&
  'code' in outcome &&
  'transient' in outcome &&
  outcome.transient === false &&
  typeof outcome.code === 'string' &&
  unspecific.has(outcome.code)
