import type { Call } from '#lib/call.ts'
import type { UnsubscribeProps } from '#views/dashboard/notifications/unsubscribe.tsx'
import { ownerOfToken } from './unsubscribe-token.ts'

export { UnsubscribeToken } from './unsubscribe-token.ts'

/** @throws {Problem} 404 for a link that this installation didn’t send */
export function loadUnsubscribe(call: Pick<Call, 'secrets'>, { token }: UnsubscribeProps): UnsubscribeProps {
  ownerOfToken(call, token)
  return { token }
}
