import { describeOperation, nameObject, titled, type EntryFacts, type LoggedFields } from '#lib/audit/describe.ts'
import { capitalize } from '#lib/text.ts'
import { nameFields } from './names.ts'

type Names = ReadonlyMap<string, string>

/** Kinds of objects in words. */
const nouns: Readonly<Record<string, string>> = {
  account: 'account',
  agent: 'agent',
  api_key: 'API key',
  app_action: 'action',
  brand: 'brand',
  developer_app: 'app',
  export: 'export',
  invitation: 'invitation',
  media: 'file',
  organization: 'organization',
  organization_domain: 'domain',
  post: 'post',
  upload: 'upload',
  webhook: 'webhook',
  webhook_delivery: 'webhook delivery',
}

/** The name of an entry’s object; null for one that is gone or has none. */
export const objectName = (entry: EntryFacts, names: Names): string | null =>
  nameObject(entry, entry.object?.id ? names.get(entry.object.id) : undefined, nameFields)

/** An entry as a sentence without its subject: `Created API key “CI”`. */
export function describeEntry(entry: EntryFacts, names: Names): string {
  const name = objectName(entry, names)
  const special = entry.object ? byKind[entry.object.kind]?.(entry, name, names) : undefined
  return special ?? describeOperation(entry, name, nouns)
}

type Describe = (entry: EntryFacts, name: string | null, names: Names) => string | undefined

/** Kinds whose changes say more than the operation. */
const byKind: Readonly<Record<string, Describe>> = {
  session: ({ operation, refused }) => (refused ? refusedSessions : sessions)[operation] ?? 'Signed in',
  sso_sign_in: () => 'Failed to sign in with single sign-on',
  member: describeMember,
  organization: describeOrganization,
  organization_sign_in: ({ operation, before }) =>
    operation === 'setOrganizationSso' ? `${before ? 'Updated' : 'Set up'} single sign-on` : 'Removed single sign-on',
  brand: ({ operation }, name) => {
    if (operation === 'updateBrandLogo') return `Changed the logo of ${titled('brand', name)}`
    return operation === 'deleteBrandLogo' ? `Removed the logo of ${titled('brand', name)}` : undefined
  },
  entitlement: () => 'Changed the plan',
  invitation: describeInvitation,
  post: ({ operation, before, after }, name) => {
    if (operation !== 'createPost' && operation !== 'updatePost') return undefined
    if (after?.['status'] === 'scheduled') return `Scheduled ${titled('post', name)}`
    return before && after?.['status'] === 'draft' ? `Moved ${titled('post', name)} to drafts` : undefined
  },
  api_key: ({ operation, after }, name) => {
    if (after?.['revokedWith']) return `Revoked ${titled('API key', name)}, which a revoked key had created`
    if (operation === 'rotateApiKey' && after?.['rotatedFrom'])
      return `Created ${titled('API key', name)} by a rotation`
    return undefined
  },
  user: ({ operation }) =>
    operation === erasure ? 'Erased an account' : operation.startsWith('register') ? 'Created an account' : undefined,
  webhook: ({ operation }, name) =>
    operation === 'rotateWebhookSecret' ? `Rotated the secret of ${titled('webhook', name)}` : undefined,
}

const erasure = 'identity.erase-deleted'

const sessions: Readonly<Record<string, string>> = {
  deleteOtherSessions: 'Signed out of all other sessions',
  deleteSession: 'Ended a session',
  exchangeSsoCode: 'Signed in to an app',
  logout: 'Signed out',
  switchContext: 'Switched to this organization',
  verifySecondFactor: 'Signed in with a second factor',
}

const refusedSessions: Readonly<Record<string, string>> = {
  exchangeSsoCode: 'Tried to use a sign-in code again',
  refresh: 'Tried to use a replaced refresh token',
}

function describeMember({ before, after, principalId, object }: EntryFacts, name: string | null): string | undefined {
  const who = name ?? 'a former member'
  const isSelf = object?.id === principalId
  const [was, is] = [roleIn(before), roleIn(after)]
  const override = overrideIn(after) ?? overrideIn(before)
  if (override && after?.['override'])
    return `${override.effect === 'grant' ? 'Granted' : 'Denied'} ${who} ${override.permission}`
  if (override) return `Deleted the override of ${override.permission} for ${who}`
  if (before?.['resources'] ?? after?.['resources']) return `Changed the brands of ${who}`
  if (was && is)
    return isSelf ? `Changed their own role from ${was} to ${is}` : `Changed the role of ${who} from ${was} to ${is}`
  if (is) return isSelf ? `Joined the organization as ${is}` : `Added ${who} as ${is}`
  if (was) return isSelf ? 'Left the organization' : `Removed ${who} from the organization`
  return undefined
}

const roleIn = (fields: LoggedFields): string | null => {
  const role = fields?.['role']
  return typeof role === 'string' ? capitalize(role) : null
}

function overrideIn(fields: LoggedFields): { permission: string; effect: string } | null {
  const override = fields?.['override']
  if (typeof override !== 'object' || override === null) return null
  return { permission: String(Reflect.get(override, 'permission')), effect: String(Reflect.get(override, 'effect')) }
}

function describeOrganization(
  { operation, before, after }: EntryFacts,
  name: string | null,
  names: Names,
): string | undefined {
  const app = (fields: LoggedFields) => (typeof fields?.['service'] === 'string' ? fields['service'] : null)
  const [installed, removed] = [app(after), app(before)]
  if (installed) return `Installed ${names.get(installed) ?? installed}`
  if (removed) return `Removed ${names.get(removed) ?? removed}`
  if (operation === 'register') return `Created ${titled('organization', name)}`
  if (operation === erasure) return 'Erased an organization'
  if (operation === 'updateOrganizationLogo') return 'Changed the organization’s logo'
  if (operation === 'deleteOrganizationLogo') return 'Removed the organization’s logo'
  if (operation !== 'updateOrganization') return undefined
  if (after?.['requiresSecondFactor'] === true) return 'Required two-factor authentication'
  if (after?.['requiresSecondFactor'] === false) return 'Made two-factor authentication optional'
  if (typeof after?.['name'] === 'string') return `Renamed the organization to “${after['name']}”`
  if (typeof after?.['slug'] === 'string') return `Changed the organization’s slug to ${after['slug']}`
  return undefined
}

function describeInvitation({ operation, before, after }: EntryFacts, name: string | null): string | undefined {
  const role = roleIn(after) ?? roleIn(before)
  if (operation === 'createInvitation') return `Invited ${name ?? 'a person'}${role ? ` as ${role}` : ''}`
  if (after?.['userId']) return 'Accepted the invitation'
  if (operation === 'deleteInvitation') return `Canceled ${name ? `the invitation for ${name}` : 'an invitation'}`
  if (operation === 'resendInvitation') return `Resent ${name ? `the invitation for ${name}` : 'an invitation'}`
  return undefined
}
