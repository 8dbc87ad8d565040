import type { z } from 'zod'
import type { Actor, Binding } from '#lib/actor.ts'
import { adminOrganization } from '../contract/fields.ts'
import type { MemberAccess, ReceivedValidation } from '../contract.ts'

export type ValidationResponse = z.output<typeof ReceivedValidation>

export const actorOf = ({
  tokenType,
  principal,
  organization,
  permissions,
  suspension,
  onlyIn,
  resources,
  unmetRequirement,
  service,
  app,
  sessionId,
  apiKey,
}: ValidationResponse): Actor => ({
  tokenType,
  principal,
  credential: {
    kind: tokenType,
    id: apiKey?.id ?? sessionId ?? principal.id,
    test: apiKey?.mode === 'test',
    ...(apiKey?.responsible !== undefined && { responsible: apiKey.responsible }),
  },
  organization,
  permissions: new Set(permissions),
  suspension,
  onlyIn,
  unmetRequirement,
  bindings: resources.length > 0 ? resources.map(bindingOf) : (apiKey?.bindings ?? []),
  service,
  app,
  isSuperAdmin: principal.principalType === 'platform_super_admin' && organization?.slug === adminOrganization,
})

const bindingOf = ({ permissions, ...binding }: ValidationResponse['resources'][number]): Binding => ({
  ...binding,
  permissions: new Set(permissions),
})

/** As if the member had a session in the organization. */
export const actorOfMember = (id: string, { organization, permissions, resources }: MemberAccess): Actor => ({
  tokenType: 'session',
  principal: { id, principalType: 'user' },
  credential: { kind: 'session', id },
  organization,
  suspension: null,
  unmetRequirement: null,
  permissions: new Set(permissions),
  bindings: resources.map(bindingOf),
  service: null,
  app: null,
  isSuperAdmin: false,
})
