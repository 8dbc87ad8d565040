import { z } from 'zod'
import { checkBy, works } from '../account-check.ts'
import type { AccountCheck, NetworkCall } from '../network.ts'
import { interpretRefusal, request } from './api.ts'
import { publishingRoles } from './pages.ts'
import { authorOf } from './publish.ts'

export const checkMember = (call: NetworkCall): Promise<AccountCheck> =>
  checkBy({
    ask: () => request(call, '/v2/userinfo', 'GET'),
    interpretRefusal,
    data: z.object({ sub: z.string() }),
    read: () => works,
  })

const Roles = z.object({ elements: z.array(z.object({ organization: z.string(), role: z.string() })) })
const most = 100

export const checkPage = (call: NetworkCall): Promise<AccountCheck> =>
  checkBy({
    ask: () =>
      request(
        call,
        `/rest/organizationAcls?${new URLSearchParams({ q: 'roleAssignee', state: 'APPROVED', start: '0', count: String(most) })}`,
        'GET',
      ),
    interpretRefusal,
    data: Roles,
    read: ({ elements }) => {
      const page = authorOf(call)
      const canPublish = elements.some(({ organization, role }) => organization === page && role in publishingRoles)
      // A longer list can have the Page further below.
      if (canPublish || elements.length === most) return works
      return { kind: 'checked', problem: roleLost }
    },
  })

const roleLost = {
  code: 'page_role_missing',
  message:
    'The person who connected this Page no longer has a role on it that can publish. A content administrator of the Page has to connect it again.',
}
