import { newId } from '#lib/ids.ts'
import { dot, password, type World } from '../support/world.ts'
import type { Declared } from './every.ts'

export type Input = Record<string, unknown>
type Things = World['ada']['things']

/** Valid inputs with a resident's things: the first is the usual one. What stands nowhere here takes no input. */
const byName: Record<string, (things: Things, world: World) => Input[]> = {
  register: () => [{ email: 'grace@example.com', password, name: 'Grace', organizationName: 'Navy' }],
  resendRegistration: () => [{ email: 'grace@example.com' }],
  confirmRegistration: () => [{ token: 'none' }],
  login: (_, { vera }) => [{ email: vera.email, password }],
  refresh: () => [{ refreshToken: 'none' }],
  switchWorkspace: ({ organizations }) => [{ organizationId: organizations }, { context: 'personal' }],
  findServiceBySlug: () => [{ slug: 'platform-socialize' }],
  changePreferences: () => [{ theme: 'dark' }],
  changeOwnPreferences: () => [{ tileSize: 'small' }],
  listScopes: (_, { serviceId }) => [{ id: serviceId }],
  listRoleBundles: (_, { serviceId }) => [{ id: serviceId }],
  listOrganizations: () => [{ limit: 5 }],
  findOrganization: ({ organizations }) => [{ id: organizations }],
  updateMe: () => [{ name: 'Ada Lovelace' }],
  updateOrganization: ({ organizations }) => [{ id: organizations, name: 'Acme & Co' }],
  listMembers: ({ organizations }) => [{ id: organizations, limit: 5 }],
  listAudit: () => [{ limit: 5 }],
  exportAudit: () => [{ object: 'brand' }],
  updateMember: ({ organizations, members }) => [{ id: organizations, userId: members, role: 'viewer' }],
  removeMember: ({ organizations, members }) => [{ id: organizations, userId: members }],
  listInvitations: ({ organizations }) => [{ id: organizations, limit: 5 }],
  createInvitation: ({ organizations }) => [{ id: organizations, email: `${newId()}@example.com`, role: 'editor' }],
  resendInvitation: ({ organizations, invitations }) => [{ id: organizations, invitationId: invitations }],
  deleteInvitation: ({ organizations, invitations }) => [{ id: organizations, invitationId: invitations }],
  acceptInvitation: () => [{ token: 'none' }],
  registerByInvitation: (_, { invitationToken }) => [{ token: invitationToken, name: 'Grace', password }],
  listApiKeys: () => [{ limit: 5 }],
  createApiKey: ({ brands }) => [
    { name: 'CI', service: 'platform-socialize', scopes: ['posts.read'], bindings: [{ kind: 'brand', id: brands }] },
    { name: 'CI', service: 'platform-dashboard-api', scopes: ['apps.read', 'apps.write'], expiresInDays: 30 },
  ],
  getApiKey: ({ keys }) => [{ id: keys }],
  rotateApiKey: ({ keys }) => [{ id: keys, overlapHours: 24 }],
  revokeApiKey: ({ keys }) => [{ id: keys }],
  validateApiKey: (_, { key }) => [{ key: key.text }],
  acceptSuperAdmin: (_, { superAdminToken }) => [{ token: superAdminToken, name: 'Second', password }],
  listAllOrganizations: () => [{ q: 'acme', state: 'active', limit: 5 }],
  inspectOrganization: ({ organizations }) => [{ id: organizations }],
  suspendOrganization: ({ organizations }) => [{ id: organizations, reason: 'Spam.' }],
  liftSuspension: ({ organizations }) => [{ id: organizations }],
  readOrganizationState: ({ organizations }) => [{ id: organizations }],
  listPeople: (_, { ada }) => [{ ids: ada.id }],
  search: () => [{ q: 'a' }],
  listBrands: () => [{ limit: 5 }],
  createBrand: () => [{ name: `Side ${newId()}`, timeZone: 'Europe/Berlin' }],
  getBrand: ({ brands }) => [{ id: brands }],
  updateBrand: ({ brands }) => [{ id: brands, voice: 'Warm' }],
  transferBrand: ({ brands, organizations }) => [{ brandId: brands, targetOrganizationId: organizations }],
  listIntegrations: ({ brands }) => [{ brandId: brands }],
  connectIntegration: ({ brands }) => [{ platform: 'sandbox', brandId: brands, handle: 'another' }],
  listAccounts: ({ brands }) => [{ brandId: brands, limit: 5 }],
  getAccount: ({ accounts }) => [{ id: accounts }],
  deactivateAccount: ({ accounts }) => [{ id: accounts }],
  reconnectAccount: ({ accounts }) => [{ id: accounts }],
  listPosts: ({ brands, threads }) => [{ brandId: brands, limit: 5 }, { threadId: threads }],
  createPost: ({ brands, accounts }) => [
    { brandId: brands, provider: 'sandbox', text: 'Hello', target: { connectionId: accounts } },
    { brandId: brands, targets: [{ provider: 'sandbox', target: { connectionId: accounts } }], text: 'Hello' },
    { brandId: brands, provider: 'sandbox', thread: [{ text: 'One' }, { text: 'Two' }] },
  ],
  getPost: ({ posts }) => [{ id: posts }],
  updatePost: ({ posts, accounts }) => [{ id: posts, text: 'Edited', target: { connectionId: accounts } }],
  deletePost: ({ posts }) => [{ id: posts }],
  publishPostNow: ({ scheduled }) => [{ id: scheduled }],
  duplicatePost: ({ posts }) => [{ id: posts }],
  retryPost: ({ posts }) => [{ id: posts }],
  detachPost: ({ part }) => [{ id: part }],
  withdrawPost: ({ posts }) => [{ id: posts }],
  uploadMedia: ({ brands }) => [{ brandId: brands, file: dot, name: 'dot.png', alt: 'A dot' }],
  listMedia: ({ brands }) => [{ brandId: brands, limit: 5 }],
  getMedia: ({ media }) => [{ id: media }],
  updateMedia: ({ media }) => [{ id: media, alt: 'A small dot' }],
  deleteMedia: ({ media }) => [{ id: media }],
  readMediaFile: ({ media }) => [{ id: media }],
  readMediaRendition: ({ media }) => [{ id: media, rendition: 'thumb' }],
  uploadSandboxMedia: () => [{ handle: 'lab', file: dot }],
  readSandboxMedia: () => [{ handle: 'lab', mediaId: newId() }],
  listSandboxPosts: () => [{ handle: 'lab' }],
  sendSandboxPost: () => [{ handle: 'lab', text: 'Hello' }],
  deleteSandboxPost: () => [{ handle: 'lab', postId: '01890000-0000-7000-8000-000000000000' }],
  readSandboxBehavior: () => [{ handle: 'lab' }],
  changeSandboxBehavior: () => [{ handle: 'unwell', mode: 'ok' }],
}

/** Valid inputs of an operation with Ada's things, or with those of another resident. */
export const samplesOf = ({ name }: Declared, world: World, whose = world.ada): Input[] =>
  byName[name]?.(whose.things, world) ?? [{}]

/** The names that have samples. */
export const sampled = Object.keys(byName)
