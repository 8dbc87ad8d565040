import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Cursor } from '#lib/paginate.ts'
import { page } from '#lib/page.ts'
import { reply, type Reply } from '#lib/reply.ts'
import { Accounts, hasAccount, type AccountsProps } from '#views/social/accounts/accounts.tsx'
import { AccountView, type AccountProps } from '#views/social/accounts/account.tsx'
import { NoBrand, type NoBrandProps } from '#views/social/brands/no-brand.tsx'
import { loadAccountPage } from '../http/account-page.ts'
import { brandIdOf, rememberBrand, replyWithoutBrand } from '../http/current-brand.ts'
import { askFirstSteps } from '../http/first-steps.ts'
import { Unconnected, unconnectedOf } from '../http/unconnected.ts'
import { getAccount } from './accounts.operations.tsx'
import { listIntegrations } from './integrations.operations.tsx'

export const accountsPage = page({
  path: '/workspace/accounts',
  permission: 'accounts:read',
  query: z.object(Unconnected),
  screen: 'accounts milestones',
  title: 'Accounts',
  keywords: 'connect networks integrations',
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

export const accountPage = page({
  path: '/workspace/accounts/:id',
  permission: 'accounts:read',
  query: z.object({ id: Id, cursor: Cursor }),
  screen: 'posts account',
  title: ({ account }: AccountProps) => account.account.name,
  load: async (call): Promise<Reply<AccountProps>> => {
    const account = await call.ask(getAccount, { id: call.input.id })
    return reply(200, await loadAccountPage(call, account, call.input.cursor), rememberBrand(call, account.brandId))
  },
  view: (props) => <AccountView {...props} />,
})
