import { isGatewayUnavailable } from '#gateway'
import { conflict, Problem } from '#lib/errors.ts'
import type { ConnectedAccount } from '../network.ts'
import type { AccountCall } from '../oauth.ts'

/**
 * The channel that the person chose on Google’s page: an account can have several, and each is connected by itself.
 * @throws {Problem} 409 `channel_missing`, 502, 503
 */
export async function getAccount(
  token: string,
  { video, clientId, signal }: AccountCall,
): Promise<Pick<ConnectedAccount, 'externalId' | 'name' | 'metadata'>> {
  const user = { ...(await video.getPayer()), token, clientId, signal }
  const channel = await video.client.getChannel(user).catch((cause: unknown) => {
    if (isGatewayUnavailable(cause)) throw cause
    if (cause instanceof Problem && cause.code === 'channel_missing')
      throw conflict('channel_missing', 'This Google account has no YouTube channel. Create one on YouTube.')
    throw new Problem(502, 'provider_error', 'YouTube didn’t say whose channel this is. Try again in a moment.', {
      cause,
    })
  })
  const { id: channelId, title, handle, url, thumbnailUrl } = channel
  return { externalId: channelId, name: handle ?? title, metadata: { channelId, title, handle, url, thumbnailUrl } }
}
