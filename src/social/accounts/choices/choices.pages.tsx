import { z } from 'zod'
import { page } from '#lib/page.ts'
import { redirect, reply, type Redirect, type Reply } from '#lib/reply.ts'
import { ignoreInvalid } from '#lib/text.ts'
import { TargetChoicePage } from '#views/social/accounts/target-choice.tsx'
import { Provider, type TargetChoice } from '../../contract.ts'
import { rememberBrand } from '../../http/current-brand.ts'
import { listTargets } from './choices.operations.tsx'

/** Where a consent page leads back to when the person has several Pages (SOC-05). */
export const targetChoicePage = page({
  path: '/workspace/accounts/choose',
  permission: 'accounts:write',
  query: z.object({ network: ignoreInvalid(Provider), choice: ignoreInvalid(z.string().min(1).max(100)) }),
  screen: 'accounts',
  title: 'Choose accounts',
  load: async (call): Promise<Reply<TargetChoice> | Redirect> => {
    const { network, choice } = call.input
    const back = redirect(
      `/workspace/accounts${network ? `?${new URLSearchParams({ unconnected: 'expired', network })}` : ''}`,
    )
    if (!network || !choice) return back
    const { choice: described } = await call.ask(listTargets, { platform: network, choice })
    return described ? reply(200, described, rememberBrand(call, described.brand.id)) : back
  },
  view: (props) => <TargetChoicePage {...props} />,
})
