import { sanitizeText, truncate } from '#lib/text.ts'
import type { Refusal } from '../network.ts'
import { reasons, tooManyPosts } from './refusal.ts'

const unreachable = [
  'media_refused',
  'TikTok couldn’t download a file of the post from this server. Retry. If it fails again, an operator has to check that TikTok can reach it.',
] as const

type Cause = readonly [code: string, message: string]
/** By `fail_reason`: a stable code, and a sentence that says what to do. */
const causes = new Map<string, Cause>(
  Object.entries<Cause>({
    ...reasons,
    file_format_check_failed: ['media_refused', 'TikTok doesn’t support the format of a file. Replace it.'],
    duration_check_failed: ['media_refused', 'The video is too long or too short for this account. Replace it.'],
    frame_rate_check_failed: ['media_refused', 'TikTok needs videos of 23 to 60 frames per second. Replace the video.'],
    picture_size_check_failed: [
      'media_refused',
      'TikTok doesn’t support the width or height of a file: videos need 360 to 4,096 pixels on each side. Replace it.',
    ],
    video_pull_failed: unreachable,
    photo_pull_failed: unreachable,
    publish_cancelled: ['provider_refused', 'The post was canceled at TikTok. Retry.'],
    auth_removed: ['signed_out', 'The account’s owner removed Atrium’s access at TikTok. Reconnect it, then retry.'],
    spam_risk_text: ['action_blocked', 'TikTok took the text for spam. Change it, then retry.'],
    internal: ['provider_error', 'TikTok has a temporary fault. Retry later.'],
  }),
)

/** Those that TikTok says can be retried. */
const passing = new Set(['internal', 'video_pull_failed', 'photo_pull_failed'])

/** What TikTok says of a publication that failed after it was accepted: nothing of it is left there. */
export function failedPublication(reason: string): Refusal {
  const shown = truncate(sanitizeText(reason), 100)
  if (reason === 'spam_risk_too_many_posts') return tooManyPosts
  const cause = causes.get(reason) ?? (reason.startsWith('spam_risk') ? causes.get('spam_risk') : undefined)
  const [code, message] = cause ?? ['provider_refused', 'TikTok couldn’t publish the post.']
  return { kind: 'refused', code, message: `${message} (${shown})`, transient: passing.has(reason) }
}

/** TikTok didn’t take the last chunk of a video. */
export const failedUpload = (status: number): Refusal => ({
  kind: 'refused',
  code: 'media_refused',
  message: `TikTok couldn’t publish a file of the post (upload ended with ${status}). Replace it.`,
  transient: false,
})
