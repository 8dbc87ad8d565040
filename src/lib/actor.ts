/** What showed who calls; an access token counts as the session it belongs to. */
interface ActorCredential {
  readonly kind: 'access' | 'session' | 'service' | 'api_key'
  readonly id: string
  /** A key for trying things out: it reaches nothing real outside (IDN-36). */
  readonly test?: boolean
}

/** A resource to which an API key is bound or a role is limited, such as one brand. */
export interface Binding {
  readonly kind: string
  readonly id: string
  /** What is permitted there, where that differs from one to the other. */
  readonly permissions?: ReadonlySet<string>
}

/** Why an organization may not work for now. */
export interface Suspension {
  readonly organizationId: string
  /** The organization's name. */
  readonly name: string
  readonly reason: string
  /** When the deletion of the organization becomes final; null where none was requested. */
  readonly deletesAt: Date | null
}

/** What a session lacks to work in an organization. */
export interface UnmetRequirement {
  readonly organizationId: string
  /** The organization's name. */
  readonly name: string
  readonly needs: 'second_factor' | 'own_sign_in'
}

/** Who calls, as identity's `/validate` answered: a person, an agent or a service in one context. */
export interface Actor {
  readonly tokenType: 'access' | 'session' | 'service' | 'api_key'
  /** For an API key the person who answers for it. */
  readonly principal: { readonly id: string; readonly principalType: string }
  readonly credential: ActorCredential
  /** The active organization; null in the personal context, for services, and while it is suspended or barred. An API key has no role: it counts as a viewer. */
  readonly organization: { readonly id: string; readonly slug: string; readonly role: Role } | null
  /** Set while the credential's organization is suspended: then it only gives access to the person's own data. */
  readonly suspension: Suspension | null
  /** The only organization in which the session works, since its own provider opened it: it isn't the person's own (IDN-49). */
  readonly onlyIn?: string | null
  /** Set while the session lacks what its organization requires: then it only gives access to the person's own data. */
  readonly unmetRequirement: UnmetRequirement | null
  /** Canonical permission strings: `<serviceId>.<resource>:<action>`. */
  readonly permissions: ReadonlySet<string>
  /** All that is reached of the organization, by an API key that is bound or a role that is limited; empty: everything. */
  readonly bindings: readonly Binding[]
  /** Resources that the actor reads but in which it lacks the permission of this call, which they name. */
  readonly readOnly?: { readonly permission: Permission; readonly bindings: readonly Binding[] }
  /** The calling service's slug when `tokenType` is `service`. */
  readonly service: string | null
  /** A super admin of this server, working in the super admins' organization (IDN-16). */
  readonly isSuperAdmin: boolean
  /** The id of the app of others that acts for the person who signed in to it: it may what they may in that app alone. */
  readonly app: string | null
}

/** Roles of a member, weakest first (IDN-10). */
export const roles = ['viewer', 'reviewer', 'editor', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

/** Whether `role` is at least `needed`. */
export const atLeast = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed)

/**
 * Who can call: `public`: anyone; `known`: any valid credential; `signed-in`: a signed-in person; `person`: the same, also
 * through a third-party app; `service`: a platform service; a role in the active organization; `super-admin`; or a
 * permission of the context's own service, such as `posts:write`. An API key has permissions only, and no role.
 */
export type Permission =
  'public' | 'known' | 'signed-in' | 'person' | 'service' | 'super-admin' | `role:${Role}` | ServicePermission
/** `<resource>:<action>` of a service's catalog, such as `posts:write` or `ai:invoke`: a test looks each up. */
export type ServicePermission = `${Lowercase<string>}:${Lowercase<string>}`
