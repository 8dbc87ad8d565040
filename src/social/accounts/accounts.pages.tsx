import { z } from 'zod'
import { page } from '#lib/page.ts'
import { reply, type Reply } from '#lib/reply.ts'
import { Accounts, hasAccount, type AccountsProps } from '#views/social/accounts/accounts.tsx'
import { NoBrand, type NoBrandProps } from '#views/social/brands/no-brand.tsx'
import { brandIdOf, rememberBrand, replyWithoutBrand } from '../http/current-brand.ts'
import { askFirstSteps } from '../http/first-steps.ts'
import { Unconnected, unconnectedOf } from '../http/unconnected.ts'
import { listIntegrations } from './integrations.operations.tsx'

export const accountsPage = page({
  path: '/workspace/accounts',
  permission: 'accounts:read',
  query: z.object(Unconnected),
  screen: 'accounts milestones',
  title: 'Accounts',
  icon: 'plug',
  load: async (call): Promise<Reply<AccountsProps | NoBrandProps>> => {
    const list = await call.ask(listIntegrations, { brandId: brandIdOf(call.request), brand: 'current' })
    const { brand } = list
    if (!brand) return replyWithoutBrand(list)
    const steps = await askFirstSteps(call, { page: 'account', brand, hasAccount: hasAccount(list) })
    return reply(200, { brand, list, steps, ...unconnectedOf(call.input) }, rememberBrand(call, brand.id))
  },
  view: (props) => ('list' in props ? <Accounts {...props} /> : <NoBrand {...props} />),
})
