import { readConfig } from '#config'
import type { Permission } from '#lib/actor.ts'
import type { Context } from '#lib/context.ts'
import type { Operation } from '#lib/operation.ts'
import type { Page } from '#lib/page.ts'
import { chosenContexts } from '../../src/contexts.ts'
import { sharedPaths } from '../../src/hosts.ts'

/** An operation of the product, as the generated tests use it. */
export interface Declared extends Operation {
  name: string
  /** The slug of its service. */
  service: string
  method: string
  path: string
}

/** A page of the product. */
export interface DeclaredPage extends Page {
  service: string
}

const contexts = chosenContexts(readConfig({ ATRIUM_ENV: 'test' }))

/** Every operation of a server in the test environment, in order of declaration. */
export const operations: Declared[] = contexts.flatMap(({ slug, operations: declared }) =>
  Object.entries(declared).map(([name, operation]) => {
    const [method = '', path = ''] = operation.route.split(' ')
    return { ...operation, name, service: slug, method, path }
  }),
)

/** Those that another service answers when neither a host nor `?app=` says which one is asked. */
export const shadowed: ReadonlySet<string> = new Set(
  operations.flatMap(({ name, service, route, path }) => {
    const same = operations.filter((other) => other.route === route)
    const answering = same.find((other) => other.service === sharedPaths[path]) ?? same[0]
    return answering?.service === service ? [] : [name]
  }),
)

/** Slugs of the contexts that aren't services of the registry. */
export const unregistered: string[] = contexts.flatMap(({ slug, registered }) => (registered === false ? [slug] : []))

/** Every page of it. */
export const pages: DeclaredPage[] = contexts.flatMap(({ slug, pages: declared }) =>
  declared.map((page) => ({ ...page, service: slug })),
)

/** The routes of incoming webhooks: they are signed, and are not operations. */
export const webhookRoutesOf = (of: readonly Pick<Context, 'webhooks'>[]): string[] =>
  of.flatMap(({ webhooks }) =>
    webhooks.flatMap(({ path, challenge }) => [`POST ${path}`, ...(challenge ? [`GET ${path}`] : [])]),
  )
export const webhookRoutes = webhookRoutesOf(contexts)

const isGuarded = ({ permission }: { permission: Permission }): boolean => permission !== 'public'

/** Operations and pages that are not public. */
export const guarded = operations.filter(isGuarded)
export const guardedPages = pages.filter(isGuarded)

/** Operations with a body. */
export const withBody = operations.filter(({ method }) => method !== 'GET')

// These delete a sample's objects: apps of developers, an image, a member, an agent, an invitation, a key, the draft, a
// passkey, the authenticator app, developer and service access, the context, the admin session, the session itself.
const ending = [
  'replayFailedProviderEvents',
  'revokeAppKey',
  'revokeOwnAppKey',
  'deleteAppAction',
  'deleteOwnAppAction',
  'submitDeveloperApp',
  'withdrawSubmission',
  'submitOwnDeveloperApp',
  'withdrawOwnSubmission',
  'publishDeveloperApp',
  'publishOwnDeveloperApp',
  'withdrawPublication',
  'withdrawOwnPublication',
  'deleteDeveloperApp',
  'deleteOwnDeveloperApp',
  'endSubscription',
  'deleteWebhook',
  'deleteWorkflow',
  'deleteMedia',
  'deleteUpload',
  'deleteOverride',
  'completeOrganizationOnboarding',
  'cancelDemoBooking',
  'deleteAdminSession',
  'deleteAccount',
  'removeMember',
  'deleteAgent',
  'deleteInvitation',
  'revokeApiKey',
  'deleteSpendLimit',
  'deleteEmailTemplate',
  'unsuppressAddress',
  'deleteSenderIdentity',
  'deleteSenderDomain',
  'deleteProviderCredential',
  'deletePost',
  'removePasskey',
  'regenerateRecoveryCodes',
  'removeTotp',
  'beginTotp',
  'deleteSession',
  'deleteOtherSessions',
  'leaveHousehold',
  'deleteOrganizationSso',
  'removeOrganizationDomain',
  'confirmEmailChange',
  'confirmPasswordReset',
  'changePassword',
  'revokeDeveloperAccess',
  'deleteScope',
  'withdrawService',
  'deleteOrganization',
  'getOrganizationDeletion',
  'cancelOrganizationDeletion',
  'transferOwnership',
  'suspendOrganization',
  'unsuspendOrganization',
  'acceptInvitation',
  'acceptOwnInvitation',
  'switchContext',
  'logout',
]

/** All operations, in an order in which each finds its objects. */
export const inOrder = operations.toSorted(
  (a, b) => ending.indexOf(a.name) - ending.indexOf(b.name) || Number(a.method !== 'GET') - Number(b.method !== 'GET'),
)

/** The names of a path's parameters. */
export const paramsOf = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
