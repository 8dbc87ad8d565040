import { z } from 'zod'
import { Problem } from '#lib/errors.ts'
import { plainText } from '#lib/text.ts'
import { requestWith } from '../graph/api.ts'
import type { ConsentCall } from '../network.ts'
import { partialConsent, type OAuthTarget } from '../oauth.ts'
import { api } from './api.ts'

const Permissions = z.object({ data: z.array(z.object({ permission: z.string(), status: z.string() })) })
const Pages = z.object({
  data: z.array(
    z.object({
      id: z.string().regex(/^\d{1,30}$/),
      name: plainText(200).min(1),
      access_token: z.string().min(1).max(4000),
      tasks: z.array(z.string()).catch([]),
    }),
  ),
  paging: z
    .object({ cursors: z.object({ after: z.string().optional() }), next: z.string().optional() })
    .optional()
    .catch(undefined),
})

/** Requested when a person lets Atrium write first comments. */
export const commentScope = 'pages_manage_engagement'
export const scopes = ['pages_show_list', 'pages_manage_posts', 'pages_read_engagement'] as const
const maxPages = 10

/** The Pages that a person manages and chose in the dialog, each with a token of its own. @throws {Problem} 409, 502 */
export async function listPages(access: string, call: ConsentCall): Promise<OAuthTarget[]> {
  const { data: permissions } = await read(Permissions, access, call, '/me/permissions', {})
  const granted = new Set(permissions.filter(({ status }) => status === 'granted').map(({ permission }) => permission))
  const missing = scopes.filter((scope) => !granted.has(scope))
  if (missing.length > 0) throw partialConsent(api.name, missing)
  const given = [...scopes, commentScope].filter((scope) => granted.has(scope))
  const targets: OAuthTarget[] = []
  const query: Record<string, string> = { fields: 'id,name,access_token,tasks', limit: '100' }
  for (let page = 0; page < maxPages; page++) {
    const { data, paging } = await read(Pages, access, call, '/me/accounts', query)
    for (const { id, name, access_token: pageAccess, tasks } of data)
      targets.push({
        profile: { externalId: id, name, metadata: { pageId: id, pages: [{ id, name }] } },
        access: pageAccess,
        scopes: given,
        // Page tokens of a long-lived user token have no end.
        expiresInSeconds: null,
        detail: 'Page',
        refusal: tasks.includes('CREATE_CONTENT')
          ? null
          : 'Your role can’t publish. An editor of the Page has to connect it.',
      })
    const after = paging?.cursors.after
    if (paging?.next === undefined || after === undefined) break
    query['after'] = after
  }
  return targets
}

/** @throws {Problem} 502 */
async function read<Schema extends z.ZodType>(
  schema: Schema,
  access: string,
  call: ConsentCall,
  path: string,
  query: Record<string, string>,
): Promise<z.output<Schema>> {
  const response = await requestWith(api, access, call, path, { query }).catch(() => null)
  const parsed = schema.safeParse(response?.ok ? await response.json().catch(() => null) : null)
  if (parsed.success) return parsed.data
  throw new Problem(502, 'provider_error', 'Facebook didn’t list the Pages of this account. Try again in a moment.')
}
