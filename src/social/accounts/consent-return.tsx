import { z } from 'zod'
import { Problem } from '#lib/errors.ts'
import { page } from '#lib/page.ts'
import { redirect } from '#lib/reply.ts'
import { Provider } from '../contract.ts'
import { finishConnecting } from './connect.ts'

/** It shows nothing: it connects the account and redirects (SOC-05). */
export const consentReturnPage = page({
  path: '/workspace/accounts/callback/:platform',
  permission: 'accounts:write',
  query: z.object({
    platform: Provider,
    state: z.string().max(200).optional(),
    code: z.string().max(2000).optional(),
    error: z.string().max(2000).optional(),
  }),
  title: 'Connecting',
  load: async (call) => {
    const { platform } = call.input
    const finished = await finishConnecting(call, call.input).catch(asFailure)
    if ('connection' in finished) return redirect(`/workspace/accounts?brandId=${finished.connection.brandId}`)
    const { unconnected, brandId } = finished
    const query = new URLSearchParams({ unconnected, network: platform, ...(brandId && { brandId }) })
    return redirect(`/workspace/accounts?${query}`)
  },
  view: () => <></>,
})

/** The accounts page shows errors of the network; all others are thrown again. */
function asFailure(error: unknown): { unconnected: 'failed'; brandId: null } {
  if (error instanceof Problem && [409, 502].includes(error.status)) return { unconnected: 'failed', brandId: null }
  throw error
}
