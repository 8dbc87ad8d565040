/** The verified credential; an access token counts as the session it belongs to. */
interface ActorCredential {
  readonly kind: 'access' | 'session' | 'service' | 'api_key'
  readonly id: string
  /** A test key, which calls nothing outside (IDN-36). */
  readonly test?: boolean
  /** Of an API key, the person who created it, or the key of the agent that created it. */
  readonly responsible?: string
}

/** A resource to which an API key is bound or a role is limited, such as one brand. */
export interface Binding {
  readonly kind: string
  readonly id: string
  readonly permissions?: ReadonlySet<string>
}

export interface Suspension {
  readonly organizationId: string
  readonly name: string
  readonly reason: string
  /** When the organization is deleted for good; null when no deletion was requested. */
  readonly deletesAt: Date | null
}

export interface UnmetRequirement {
  readonly organizationId: string
  readonly name: string
  readonly needs: 'second_factor' | 'sso'
}

export interface Actor {
  readonly tokenType: 'access' | 'session' | 'service' | 'api_key'
  /** For an API key, the person responsible for it. */
  readonly principal: { readonly id: string; readonly principalType: string }
  readonly credential: ActorCredential
  /** Null in the personal context, for services, while suspended, and with an unmet requirement. */
  readonly organization: { readonly id: string; readonly slug: string; readonly role: Role } | null
  /** Set while the credential's organization is suspended. Then it only gives access to the person's own data. */
  readonly suspension: Suspension | null
  /** The only organization that the session can access, because its identity provider opened it (IDN-49). */
  readonly onlyIn?: string | null
  /** Set while the session doesn't meet a requirement. Then it only gives access to the person's own data. */
  readonly unmetRequirement: UnmetRequirement | null
  /** Canonical permission strings: `<serviceId>.<resource>:<action>`. */
  readonly permissions: ReadonlySet<string>
  /** The resources that a bound API key or a limited role can access; empty for all of the organization. */
  readonly bindings: readonly Binding[]
  /** Resources that the actor can read but in which it lacks the permission of this call. */
  readonly readOnly?: { readonly permission: Permission; readonly bindings: readonly Binding[] }
  readonly service: string | null
  readonly isSuperAdmin: boolean
  /** The ID of the third-party app that the person signed in to: the token only has their permissions in that app. */
  readonly app: string | null
}

/** The person who is behind what an actor does, also through keys of agents. */
export const responsibleOf = ({ credential, principal }: Actor): string => credential.responsible ?? principal.id

/** Roles of a member, weakest first (IDN-10). */
export const roles = ['viewer', 'reviewer', 'editor', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

export const atLeast = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed)

/**
 * `known`: any valid credential. `signed-in`: a signed-in person. `person`: also through a third-party app. `service`:
 * a platform service. Else a role, or a permission of the context's own service; an API key has no role.
 */
export type Permission =
  'public' | 'known' | 'signed-in' | 'person' | 'service' | 'super-admin' | `role:${Role}` | ServicePermission
export type ServicePermission = `${Lowercase<string>}:${Lowercase<string>}`
