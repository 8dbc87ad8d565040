import { z } from 'zod'
import { sanitizeText, truncate } from '#lib/text.ts'
import { readRefusal } from '../http.ts'
import type { Refusal, Unauthorized, Unclear } from '../network.ts'

const ErrorBody = z.object({ error: z.object({ code: z.string(), message: z.string().catch('') }) })

const minute = 60_000

export async function interpretRefusal(response: Response): Promise<Refusal | Unauthorized | Unclear> {
  const body = ErrorBody.safeParse(
    await response
      .clone()
      .json()
      .catch(() => null),
  )
  const outcome = await readRefusal('TikTok', response)
  if (!body.success) return outcome
  const { code, message } = body.data.error
  if (code === 'access_token_invalid')
    return { kind: 'unauthorized', message: 'TikTok no longer accepts the account’s token.' }
  if (response.status >= 500) return { ...outcome, message: `TikTok has a temporary fault (${response.status}).` }
  if (outcome.kind !== 'refused') return outcome
  if (code === 'rate_limit_exceeded')
    return { ...outcome, message: 'TikTok accepts no more requests for now.', retryAfterMs: minute, limitOf: 'account' }
  if (code === 'spam_risk_too_many_posts') return tooManyPosts
  const known = reasons[code]
  if (known) return { ...outcome, code: known[0], message: known[1] }
  const reason = truncate(sanitizeText(message || code), 300)
  return { ...outcome, message: `TikTok refused the post: ${reason}` }
}

export const tooManyPosts: Refusal = {
  kind: 'refused',
  code: 'rate_limited',
  message: 'The account has published as many posts in 24 hours as TikTok allows.',
  transient: true,
  retryAfterMs: 60 * minute,
  limitOf: 'account',
}

const permission = [
  'permission_missing',
  'TikTok didn’t give Atrium the permission for this. Connect the account again and allow everything.',
] as const

/** A stable code, and a sentence that says what to do. */
export const reasons: Readonly<Record<string, readonly [code: string, message: string]>> = {
  scope_not_authorized: permission,
  scope_permission_missed: permission,
  spam_risk_user_banned_from_posting: [
    'action_blocked',
    'TikTok blocked this account from publishing for now. Check its status in the TikTok app, then retry.',
  ],
  spam_risk: ['action_blocked', 'TikTok took the post for spam. Change it, or publish it in the TikTok app.'],
  reached_active_user_cap: [
    'quota_exhausted',
    'The app has reached TikTok’s daily number of accounts. Retry tomorrow, or ask its operator to have it audited.',
  ],
  unaudited_client_can_only_post_to_private_accounts: [
    'app_not_audited',
    'TikTok hasn’t audited the app yet, so that it publishes only to private accounts. Make the account private, or wait for the audit.',
  ],
  url_ownership_unverified: [
    'media_refused',
    'TikTok can’t fetch images from this server. An operator has to verify its address in TikTok’s developer portal.',
  ],
  privacy_level_option_mismatch: [
    'privacy_not_allowed',
    'The account doesn’t allow posts with this visibility. Check its privacy settings in the TikTok app, then retry.',
  ],
}
