import { z } from 'zod'
import type { VideoUser } from '#gateway'
import { Problem } from '#lib/errors.ts'
import { ConnectedApp } from '../app.ts'
import { classifyStepFailure, maxRateLimitMs } from '../http.ts'
import type { GatewayMissing, PublishCall, Refusal, Unauthorized } from '../network.ts'
import { accessTokenOf, clientIdOf } from '../oauth.ts'

export const name = 'YouTube'

type Calling = Pick<PublishCall, 'account' | 'video' | 'signal'>

const Stored = z.object({ app: ConnectedApp })

/** The quota is that of the app: its organization’s, or the platform’s, which the brand’s organization uses. */
export async function userOf({ account, video, signal }: Calling): Promise<VideoUser> {
  const payer = await video.getPayer()
  const { app } = Stored.safeParse(account.metadata).data ?? {}
  return {
    ...payer,
    ...(app && !app.shared && { organizationId: app.organizationId }),
    token: accessTokenOf(account.tokens),
    clientId: clientIdOf(account.tokens),
    signal,
  }
}

/** YouTube takes no bytes without naming a reason of its own, so what the gateway refuses was not created. */
export function interpretProblem(error: unknown): Refusal | Unauthorized | GatewayMissing {
  if (!(error instanceof Problem)) return classifyStepFailure(name, error)
  const { code } = error
  if (code === 'gateway_unavailable') return { kind: 'waiting', reason: 'gateway_unavailable' }
  if (code === 'provider_token_rejected')
    return { kind: 'unauthorized', message: 'YouTube no longer accepts the account’s token.' }
  if (code === 'quota_exhausted' || code === 'provider_limited') return limited(error)
  const known = reasons[code] ?? reasons[reasonOf(error)]
  if (known) return refuse(...known)
  if (error.status === 422) return refuse('provider_refused', describeRefusal(error))
  // The gateway and YouTube can both be asked again.
  return { kind: 'refused', code: 'provider_error', message: 'YouTube has a temporary fault.', transient: true }
}

export const refuse = (code: string, message: string): Refusal => ({ kind: 'refused', code, message, transient: false })

function limited({ code, options }: Problem): Refusal {
  const seconds = Number(new Headers(options.headers).get('retry-after')) || 60
  const isQuota = code === 'quota_exhausted'
  const scope = options.members?.['scope'] === 'organization' ? 'organization' : 'project'
  return {
    kind: 'refused',
    code: isQuota ? 'quota_exhausted' : 'rate_limited',
    message: isQuota ? quotaSentences[scope] : 'YouTube accepts no more requests for now.',
    transient: true,
    retryAfterMs: Math.min(seconds * 1000, maxRateLimitMs),
    // Others can use the app when only the organization has used its share.
    limitOf: isQuota && scope === 'project' ? 'app' : 'account',
  }
}

const quotaSentences = {
  project: 'The app has used its uploads to YouTube of this day, which ends at midnight Pacific time.',
  organization:
    'The organization has used its share of the app’s uploads to YouTube of this day, which ends at midnight Pacific time.',
}

export const reasonOf = ({ options }: Problem): string => z.string().safeParse(options.members?.['reason']).data ?? ''

/** A field that YouTube doesn’t accept, or its own words. */
const describeRefusal = ({ message, options }: Problem): string =>
  options.errors?.map(({ message: said }) => said).join(' ') || message

/** A stable code, and a sentence that says what to do. */
const reasons: Readonly<Record<string, readonly [code: string, message: string]>> = {
  provider_permission_missing: [
    'permission_missing',
    'YouTube didn’t give Atrium the permission for this. Connect the account again and allow everything.',
  ],
  channel_missing: [
    'channel_missing',
    'The Google account no longer has a YouTube channel. Create one on YouTube, then connect it again.',
  ],
  credential_missing: [
    'app_missing',
    'The app credentials of YouTube are missing. An administrator sets them in the gateway.',
  ],
  uploadLimitExceeded: [
    'upload_limit_reached',
    'The channel has uploaded as many videos as YouTube allows for now. Retry in 24 hours.',
  ],
  forbidden: [
    'action_blocked',
    'YouTube doesn’t let this channel upload videos. Check its status in YouTube Studio, then retry.',
  ],
  badContent: ['media_refused', 'YouTube doesn’t accept the file of this video. Replace it.'],
  mediaBodyRequired: ['media_refused', 'YouTube doesn’t accept the file of this video. Replace it.'],
}

/** Whether YouTube has the upload no longer: it ended, or was given to another organization. */
export const hasEnded = (error: unknown): error is Problem =>
  error instanceof Problem && (error.code === 'upload_expired' || error.code === 'not_found')

/** Whether it may have become a video before. */
export const mayBeComplete = ({ code, options }: Problem): boolean =>
  code === 'not_found' || options.members?.['mayBeComplete'] === true

/** Where an upload continues that is further, or less far, than we knew. */
export function offsetIn(error: unknown): number | null {
  if (!(error instanceof Problem) || error.code !== 'upload_offset_mismatch') return null
  return z.int().min(0).safeParse(error.options.members?.['received']).data ?? null
}
