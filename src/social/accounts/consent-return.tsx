import { z } from 'zod'
import { page } from '#lib/page.ts'
import { redirect } from '#lib/reply.ts'
import { firstBrandPath } from '#views/social/brands/first-brand-step.tsx'
import { Provider } from '../contract.ts'
import { finishConnecting } from './connect.ts'

/** It shows nothing: it connects the account and redirects, to the composer or the onboarding when it was connected there (SOC-05). */
export const consentReturnPage = page({
  path: '/workspace/accounts/callback/:platform',
  permission: 'accounts:write',
  query: z.object({
    platform: Provider,
    state: z.string().max(200).optional(),
    code: z.string().max(2000).optional(),
    error: z.string().max(2000).optional(),
    iss: z.string().max(2000).optional(),
  }),
  title: 'Connecting',
  load: async (call) => {
    const { platform } = call.input
    const { brandId, unsavedId, isOnboarding, ...finished } = await finishConnecting(call, call.input)
    if ('choice' in finished)
      return redirect(
        `/workspace/accounts/choose?${new URLSearchParams({ network: platform, choice: finished.choice })}`,
      )
    const failure = {
      ...('unconnected' in finished && { unconnected: finished.unconnected, network: platform }),
      ...('missing' in finished && finished.missing && { missing: finished.missing.join(' ') }),
    }
    if (isOnboarding) return redirect(`${firstBrandPath}&${new URLSearchParams(failure)}`)
    const query = new URLSearchParams({
      ...(brandId && { brandId }),
      ...(unsavedId && { unsaved: unsavedId }),
      ...failure,
      ...('connection' in finished && unsavedId && { account: finished.connection.id }),
    })
    return redirect(`/workspace/${unsavedId ? 'posts/new' : 'accounts'}?${query}`)
  },
  view: () => <></>,
})
