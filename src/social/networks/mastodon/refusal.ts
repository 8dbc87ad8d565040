import { readRefusal } from '../http.ts'
import type { Refusal, Unauthorized, Unclear } from '../network.ts'

/** In which Mastodon counts an account’s requests. */
const windowMs = 5 * 60_000

export async function interpretRefusal(response: Response): Promise<Refusal | Unauthorized | Unclear> {
  const outcome = await readRefusal('Mastodon', response, windowMs)
  const { message } = outcome
  if (response.status === 401) return { kind: 'unauthorized', message }
  if (response.status !== 403 || outcome.kind !== 'refused') return outcome
  // So Mastodon and Pleroma name scopes; all else is about the account, such as one that is disabled.
  if (/scopes?|permissions?/i.test(message))
    return {
      ...outcome,
      code: 'permission_missing',
      message: 'Mastodon didn’t give Atrium the permission for this. Connect the account again and allow everything.',
    }
  return {
    ...outcome,
    code: 'action_blocked',
    message: `The account can’t publish on its Mastodon server. Check it there, then retry. (${message})`,
  }
}

/** Too large, of a type that the instance doesn’t take, or one that it can’t process. */
const fileStatuses = [413, 415, 422]

/** Of an upload, which can be repeated. */
export async function interpretUploadRefusal(response: Response): Promise<Refusal | Unauthorized> {
  const outcome = await interpretRefusal(response)
  if (outcome.kind === 'unclear') return { ...outcome, kind: 'refused', transient: true }
  if (outcome.kind !== 'refused' || !fileStatuses.includes(response.status)) return outcome
  return { ...outcome, code: 'media_refused', message: 'Mastodon refused a file of the post. Replace it.' }
}
