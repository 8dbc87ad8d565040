import type { Member } from '#identity/types'
import { capitalize } from '#lib/text.ts'

type Role = Member['role']

/** Roles, weakest first. */
export const memberRoles = ['viewer', 'reviewer', 'editor', 'admin', 'owner'] as const

/** What each role can do. */
const meanings: Record<Role, string> = {
  viewer: 'sees everything',
  reviewer: 'also approves posts',
  editor: 'also writes and schedules',
  admin: 'plus accounts, brands and members',
  owner: 'everything, including the organization',
}

/** A role as people read it. */
export const roleName = (role: string): string => capitalize(role)

/** Roles as choices of a field. */
export const roleOptions = (roles: Role[]) =>
  roles.map((role) => ({ value: role, label: `${roleName(role)}: ${meanings[role]}` }))
